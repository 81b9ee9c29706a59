import type { Good } from '../../api/request'
import { date, label, time } from '../../ui/text'

type Capture = Good<'/captures'>['captures'][number]

const width = 1000
const row = 26
const left = 230

/** OverTime shows when the captures of a page were made: a line a movement, a dot a capture. */
export function OverTime({ captures }: { captures: Capture[] }) {
  const dated = captures.filter((c): c is Capture & { capture_time: string } => c.capture_time !== null)
  if (dated.length < 2) return null
  const at = dated.map((c) => Date.parse(c.capture_time))
  const first = Math.min(...at)
  const span = Math.max(1, Math.max(...at) - first)
  // Labels are compared without regard to case; each line is called as its newest capture is.
  const names = new Map<string, string>()
  for (const c of dated) if (!names.has(kindOf(c).toLowerCase())) names.set(kindOf(c).toLowerCase(), kindOf(c))
  const kinds = [...names.keys()]
  const lineOf = (c: Capture) => kinds.indexOf(kindOf(c).toLowerCase())
  const x = (t: number) => left + ((t - first) / span) * (width - left - 20)
  const height = kinds.length * row + 30
  return (
    <figure class="card over-time">
      <figcaption class="unseen">Captures over time, from {date(dated[dated.length - 1]!.capture_time)} to {date(dated[0]!.capture_time)}; all of them are in the table below.</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="presentation">
        {[...names.values()].map((k, n) => (
          <g key={k}>
            <text x={left - 12} y={n * row + 18} text-anchor="end">{k.length > 30 ? `${k.slice(0, 29)}…` : k}</text>
            <line x1={left} x2={width - 20} y1={n * row + 14} y2={n * row + 14} />
          </g>
        ))}
        {dated.map((c, n) => (
          <a key={n} href={`/captures/${encodeURIComponent(c.session_id)}`} tabIndex={-1}>
            <circle class={c.status} cx={x(at[n]!)} cy={lineOf(c) * row + 14} r={6}><title>{`${kindOf(c)}, ${time(c.capture_time)}`}</title></circle>
          </a>
        ))}
        <text x={left} y={height - 6}>{date(new Date(first).toISOString())}</text>
        <text x={width - 20} y={height - 6} text-anchor="end">{date(new Date(first + span).toISOString())}</text>
      </svg>
    </figure>
  )
}

function kindOf(c: Capture): string {
  return [c.activity, c.movement].filter((s): s is string => s !== null).map(label).join(' · ') || 'No label'
}
