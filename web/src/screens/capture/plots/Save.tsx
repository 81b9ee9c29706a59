import { save, saveTable } from '../../../ui/save'
import { tell } from '../../../ui/toast'
import type { Channel } from '../types'
import type { Courses } from './chart'
import type { Mark } from './events'
import type { Range } from './range'

interface Props {
  channel: Channel
  courses: Courses | null
  range: Range
  hidden: ReadonlySet<number>
  marks: readonly Mark[]
}

/** Save offers what a plot shows as a picture and as CSV. */
export function Save({ channel, courses, range, hidden, marks }: Props) {
  if (!courses) return null
  const name = channel.name.replace(/[^\p{L}\p{N}._-]+/gu, '_')
  const failed = (thrown: unknown) => tell(`It could not be saved. ${String(thrown)}`)
  return (
    <span class="row no-print">
      <button
        type="button"
        class="link small"
        aria-label={`PNG of ${channel.name}`}
        onClick={() =>
          void import('./saved')
            .then((s) => s.plotPicture(channel, courses, range, hidden, marks))
            .then((picture) => save(`${name}.png`, picture), failed)
        }
      >
        PNG
      </button>
      <button
        type="button"
        class="link small"
        aria-label={`CSV of ${channel.name}`}
        onClick={() =>
          void import('./saved').then(
            (s) => saveTable(`${name}.csv`, s.plotTable(channel, courses, range, hidden)),
            failed,
          )
        }
      >
        CSV
      </button>
    </span>
  )
}
