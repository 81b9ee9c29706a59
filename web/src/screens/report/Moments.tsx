import { Check } from '../../ui/field'
import type { Mark } from '../capture/plots/events'
import type { Motion } from '../capture/types'
import { seconds } from '../capture/words'
import { rowOf } from './rows'

interface Props {
  motion: Motion
  marks: readonly Mark[]
  frames: readonly number[]
  /** The frame that was seen when the report was begun; null for none. */
  seen: number | null
  set: (frames: number[]) => void
}

/** More pictures than these fill no page. */
const most = 12

/** Moments chooses the events at which the scene is pictured. */
export function Moments({ motion, marks, frames, seen, set }: Props) {
  const offers = [
    ...marks.map((m) => ({ frame: rowOf(motion, m.time), name: `${m.label}, ${seconds(m.time)}` })),
    ...(seen === null ? [] : [{ frame: seen, name: `Frame ${seen}, as it was seen` }]),
  ].filter((o, i, all) => o.frame !== null && all.findIndex((p) => p.frame === o.frame) === i)
  if (offers.length === 0) offers.push({ frame: 0, name: 'The first frame' })
  return (
    <section class="card stack" aria-labelledby="moments-title">
      <h2 id="moments-title">Pictures of the scene</h2>
      <div class="moments">
        {offers.map(({ frame, name }) => (
          <Check
            key={frame}
            label={name}
            checked={frames.includes(frame!)}
            disabled={frames.length >= most && !frames.includes(frame!)}
            onChange={(e) =>
              set(
                e.currentTarget.checked ? [...frames, frame!].sort((a, b) => a - b) : frames.filter((f) => f !== frame),
              )
            }
          />
        ))}
      </div>
    </section>
  )
}
