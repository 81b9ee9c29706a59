// Plots below each other: one time, one cursor, in step with the scene.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Button } from '../../../ui/button'
import { Check } from '../../../ui/field'
import type { Player } from '../player'
import { note, seenOf } from '../seen'
import type { Channel, Motion, MotionEvent } from '../types'
import type { Shelf } from './courses'
import { marksOf } from './events'
import { Plot } from './Plot'
import { scaled, within, type Range } from './range'

interface Props {
  motion: Motion
  events: MotionEvent[]
  player: Player
  shelf: Shelf
  chosen: Channel[]
  remove: (name: string) => void
  numbers: boolean
  setNumbers: (on: boolean) => void
  /** Changes when the scene has more rows. */
  loaded: boolean
}

/** What a press of a button shows of the time that was seen. */
const step = 0.5

export function Plots({ motion, events, player, shelf, chosen, remove, numbers, setNumbers, loaded }: Props) {
  const whole = useMemo<Range>(() => {
    const last = Math.max(0, player.clock.rows - 1)
    const from = player.timeOf(0)
    return [from, Math.max(player.timeOf(last), from + 1e-3)]
  }, [player, motion, loaded])
  const first = useMemo(() => seenOf(new URLSearchParams(location.search)).time, [player])
  const zoomedTo = useRef<Range | null>(first)
  const [range, setRange] = useState<Range>(first ? within(first, whole) : whole)
  // All of the time becomes longer as rows come; a stretch that somebody has chosen stays.
  useEffect(() => setRange(zoomedTo.current ? within(zoomedTo.current, whole) : whole), [whole])
  const zoom = (to: Range) => {
    zoomedTo.current = to[0] !== whole[0] || to[1] !== whole[1] ? to : null
    note('time', zoomedTo.current ? to.join() : '')
    setRange(to)
  }
  const marks = useMemo(() => marksOf(events), [events])
  const zoomed = range[0] !== whole[0] || range[1] !== whole[1]
  const about = (factor: number) => zoom(scaled(range, whole, factor, player.timeOf(player.row)))
  return (
    <section class="card plots" aria-labelledby="plots-title">
      <div class="head">
        <h2 id="plots-title">Plots</h2>
        {chosen.length > 0 && (
          <div class="row">
            <span class="quiet small with-mouse">Drag to zoom, double click for everything, click to go there</span>
            <span class="quiet small with-fingers">Two fingers zoom, one goes along the time</span>
            <Check
              label="Numbers"
              title="Least, greatest and mean value of the time that is shown, and the value at the cursor"
              checked={numbers}
              onChange={(e) => setNumbers(e.currentTarget.checked)}
            />
            {zoomed && <Button onClick={() => zoom(whole)}>Show all of the time</Button>}
            <Button
              aria-label="Show less time"
              title="Show less time, about the frame that is shown"
              onClick={() => about(step)}
            >
              +
            </Button>
            <Button
              aria-label="Show more time"
              title="Show more time"
              disabled={!zoomed}
              onClick={() => about(1 / step)}
            >
              −
            </Button>
          </div>
        )}
      </div>
      {chosen.length === 0 && <p class="quiet">Choose channels under “Channels”, and their course is shown here.</p>}
      {chosen.map((c) => (
        <Plot
          key={c.name}
          channel={c}
          player={player}
          shelf={shelf}
          whole={whole}
          range={range}
          marks={marks}
          loaded={loaded}
          numbers={numbers}
          zoom={(from, to) => zoom(within([from, to], whole))}
          remove={() => remove(c.name)}
        />
      ))}
    </section>
  )
}
