import type { Good } from '../../api/request'
import { dimensionsOf } from '../../labels'
import { CaptureChip } from '../../ui/chip'
import { Ago } from '../../ui/ago'
import { label, time } from '../../ui/text'
import './rows.css'

type Capture = Good<'/captures'>['captures'][number]

/** Rows is captures as a table: a row a capture and athlete. */
export function Rows({ captures, names, withAthlete = true }: { captures: Capture[]; names: ReadonlyMap<string, string>; withAthlete?: boolean }) {
  return (
    <div class="sheet" role="region" aria-label="Captures" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Movement</th>
            {withAthlete && <th scope="col" class="fold">Athlete</th>}
            <th scope="col" class="fold">Captured</th>
            <th scope="col" class="number fold">Frames a second</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {captures.map((c) => <Row key={`${c.session_id} ${c.athlete_id ?? ''}`} c={c} name={c.athlete_id ? names.get(c.athlete_id) : undefined} withAthlete={withAthlete} />)}
        </tbody>
      </table>
    </div>
  )
}

function Row({ c, name, withAthlete }: { c: Capture; name: string | undefined; withAthlete: boolean }) {
  const title = [c.activity, c.movement].filter((s): s is string => s !== null).map(label).join(' · ')
  const own = c as Record<string, unknown>
  const more = dimensionsOf(c.activity ?? '', c.movement ?? '').map((d) => own[d]).filter((v): v is string => typeof v === 'string')
  const whose = c.athlete_id ? <a href={`/athletes/${c.athlete_id}`} dir="auto">{name ?? `${c.athlete_id.slice(0, 8)}…`}</a> : <span class="quiet">Nobody</span>
  const when = c.capture_time && <time dateTime={c.capture_time}>{time(c.capture_time)}</time>
  const rate = c.fps_detected === null ? null : Number(c.fps_detected.toPrecision(6))
  return (
    <tr>
      <td class="wide folding">
        <a class="strong" href={`/captures/${encodeURIComponent(c.session_id)}`} dir="auto">{title || 'Movement not said'}</a>
        {!title && <div class="quiet small mono">{c.session_id}</div>}
        {more.length > 0 && <div class="quiet small" dir="auto">{more.map(label).join(', ')}</div>}
        <div class="folded quiet small dots">
          {withAthlete && c.athlete_id && <span>{whose}</span>}
          {when && <span>{when}</span>}
          {rate !== null && <span>{rate} Hz</span>}
        </div>
        {c.status === 'error' && c.error && <div class="small why" dir="auto" title={c.error}>{c.error}</div>}
      </td>
      {withAthlete && <td class="fold">{whose}</td>}
      <td class="fit fold">{when || <span class="quiet">Not known</span>}{c.capture_time && <div class="quiet small"><Ago iso={c.capture_time} /></div>}</td>
      <td class="fit number fold">{rate ?? <span class="quiet">–</span>}</td>
      <td class="fit"><CaptureChip status={c.status} /></td>
    </tr>
  )
}
