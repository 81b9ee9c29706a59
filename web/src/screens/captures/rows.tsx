import type { Good } from '../../api/request'
import { dimensionsOf } from '../../labels'
import { go } from '../../route'
import { CaptureChip } from '../../ui/chip'
import { Ago } from '../../ui/ago'
import { label, things, time } from '../../ui/text'
import type { Choice } from './choice'
import { uploaded } from './when'
import './rows.css'

export type Capture = Good<'/captures'>['captures'][number]

/** included is what a list asks for besides what a capture always has: one call names everything on a page. */
export function included(mayAthletes: boolean): string {
  return ['file', ...(mayAthletes ? ['athlete'] : []), 'warnings', 'time'].join()
}

interface Props {
  captures: Capture[]
  withAthlete?: boolean
  /** What is chosen of them; rows that nothing can be done with have none. */
  choice?: Choice
}

/** Rows is captures as a table: a row a capture and athlete. */
export function Rows({ captures, withAthlete = true, choice }: Props) {
  const ids = captures.map((c) => c.session_id)
  const all = ids.every((id) => choice?.chosen.has(id))
  return (
    <div class="sheet" role="region" aria-label="Captures" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {choice && (
              <th scope="col" class="tick">
                <input
                  type="checkbox"
                  aria-label="Choose all rows of this page"
                  checked={all}
                  indeterminate={!all && ids.some((id) => choice.chosen.has(id))}
                  onChange={() => choice.all(captures, !all)}
                />
              </th>
            )}
            <th scope="col">Movement</th>
            {withAthlete && (
              <th scope="col" class="fold">
                Athlete
              </th>
            )}
            <th scope="col" class="fold">
              Recorded
            </th>
            <th scope="col" class="number fold">
              Frames a second
            </th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {captures.map((c) => (
            <Row
              key={`${c.session_id} ${c.athlete_id ?? ''}`}
              c={c}
              withAthlete={withAthlete}
              choice={choice}
              captures={captures}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  c: Capture
  withAthlete: boolean
  choice: Choice | undefined
  captures: Capture[]
}

function Row({ c, withAthlete, choice, captures }: RowProps) {
  const title = [c.activity, c.movement]
    .filter((s): s is string => s !== null)
    .map(label)
    .join(' · ')
  const own = c as Record<string, unknown>
  const more = dimensionsOf(c.activity ?? '', c.movement ?? '')
    .map((d) => own[d])
    .filter((v): v is string => typeof v === 'string')
  const whose = c.athlete_id ? (
    <a href={`/athletes/${c.athlete_id}`} dir="auto">
      {c.athlete_name ?? `${c.athlete_id.slice(0, 8)}…`}
    </a>
  ) : (
    <span class="quiet">Nobody</span>
  )
  const when = c.capture_time && <time dateTime={c.capture_time}>{time(c.capture_time)}</time>
  const rate = c.fps_detected === null ? null : Number(c.fps_detected.toPrecision(6))
  return (
    <tr aria-selected={choice ? choice.chosen.has(c.session_id) : undefined} onClick={(e) => opened(e, c.session_id)}>
      {choice && (
        <td class="tick">
          <input
            type="checkbox"
            aria-label={`Choose ${c.file_name ?? (title || c.session_id)}`}
            checked={choice.chosen.has(c.session_id)}
            onClick={(e) => choice.toggle(captures, c, e.shiftKey)}
          />
        </td>
      )}
      <td class="wide folding">
        <a class="strong" href={`/captures/${encodeURIComponent(c.session_id)}`} dir="auto">
          {title || c.file_name || 'Movement not said'}
        </a>
        {title && c.file_name && (
          <div class="quiet small" dir="auto">
            {c.file_name}
          </div>
        )}
        {!title && !c.file_name && <div class="quiet small mono">{c.session_id}</div>}
        {more.length > 0 && (
          <div class="quiet small" dir="auto">
            {more.map(label).join(', ')}
          </div>
        )}
        <div class="folded quiet small dots">
          {withAthlete && c.athlete_id && <span>{whose}</span>}
          {when && (
            <span>
              {uploaded(c) && 'Uploaded '}
              {when}
            </span>
          )}
          {rate !== null && <span>{rate} Hz</span>}
        </div>
        {(c.warning_count ?? 0) > 0 && <div class="small odd">{things(c.warning_count!, 'warning')}</div>}
        {c.status === 'error' && c.error && (
          <div class="small why" dir="auto" title={c.error}>
            {c.error}
          </div>
        )}
      </td>
      {withAthlete && <td class="fold">{whose}</td>}
      <td class="fit fold">
        {when || <span class="quiet">Not known</span>}
        {c.capture_time && (
          <div class="quiet small wrap">
            {uploaded(c) ? 'uploaded ' : ''}
            <Ago iso={c.capture_time} />
          </div>
        )}
      </td>
      <td class="fit number fold">{rate ?? <span class="quiet">–</span>}</td>
      <td class="fit">
        <CaptureChip status={c.status} />
      </td>
    </tr>
  )
}

/** opened follows a click on a row that was meant for nothing in it: neither a link or a box, nor a text to be copied. */
function opened(e: MouseEvent, id: string): void {
  if (e.defaultPrevented || !(e.target instanceof Element) || e.target.closest('a, button, input, label')) return
  if (e.target.closest('.tick') || getSelection()?.toString()) return
  const place = `/captures/${encodeURIComponent(id)}`
  if (e.metaKey || e.ctrlKey) open(place)
  else go(place)
}
