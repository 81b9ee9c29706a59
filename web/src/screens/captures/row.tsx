import { dimensionsOf } from '../../labels'
import { go } from '../../route'
import { Ago } from '../../ui/ago'
import { CaptureChip, Chip } from '../../ui/chip'
import { label, things, time } from '../../ui/text'
import type { Choice } from './choice'
import type { Column, Columns } from './columns'
import type { Capture } from './rows'
import { titleOf } from './orders'
import { uploaded } from './when'

interface Props {
  c: Capture
  shown: Columns
  choice: Choice | undefined
  captures: Capture[]
  /** It will be deleted when the time to undo that is over. */
  leaving: boolean
}

/** Row is a capture and one of its athletes. What a phone has no column for stands in the first one. */
export function Row({ c, shown, choice, captures, leaving }: Props) {
  const title = titleOf(c)
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
  const none = <span class="quiet">–</span>
  const chip = leaving ? <Chip tone="bad">Will be deleted</Chip> : <CaptureChip status={c.status} />
  const cells: Record<Column, () => preact.JSX.Element> = {
    athlete: () => <td class="fold">{whose}</td>,
    file: () => (
      <td class="fold" dir="auto">
        {c.file_name ?? none}
      </td>
    ),
    recorded: () => (
      <td class="fit fold">
        {when || <span class="quiet">Not known</span>}
        {c.capture_time && (
          <div class="quiet small wrap">
            {uploaded(c) ? 'uploaded ' : ''}
            <Ago iso={c.capture_time} />
          </div>
        )}
      </td>
    ),
    rate: () => <td class="fit number fold">{rate ?? none}</td>,
    warnings: () => <td class="fit number fold">{c.warning_count ?? none}</td>,
    session: () => <td class="fold mono small">{c.session_id}</td>,
    status: () => <td class="fit">{chip}</td>,
  }
  return (
    <tr
      class={leaving ? 'leaving' : undefined}
      aria-selected={choice ? choice.chosen.has(c.session_id) : undefined}
      onClick={(e) => opened(e, c.session_id)}
    >
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
          <div class={`quiet small${shown.has('file') ? ' folded' : ''}`} dir="auto">
            {c.file_name}
          </div>
        )}
        {!title && !c.file_name && !shown.has('session') && <div class="quiet small mono">{c.session_id}</div>}
        {more.length > 0 && (
          <div class="quiet small" dir="auto">
            {more.map(label).join(', ')}
          </div>
        )}
        <div class="folded quiet small dots">
          {shown.has('athlete') && c.athlete_id && <span>{whose}</span>}
          {shown.has('recorded') && when && (
            <span>
              {uploaded(c) && 'Uploaded '}
              {when}
            </span>
          )}
          {shown.has('rate') && rate !== null && <span>{rate} Hz</span>}
          {shown.has('session') && <span class="mono">{c.session_id}</span>}
        </div>
        {(c.warning_count ?? 0) > 0 && (
          <div class={`small odd${shown.has('warnings') ? ' folded' : ''}`}>{things(c.warning_count!, 'warning')}</div>
        )}
        {c.status === 'error' && c.error && (
          <div class="small why" dir="auto" title={c.error}>
            {c.error}
          </div>
        )}
        {leaving && !shown.has('status') && chip}
      </td>
      {[...shown].map((column) => cells[column]())}
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
