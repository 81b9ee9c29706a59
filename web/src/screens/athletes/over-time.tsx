import { pages } from 'kinebase/pages'
import { useMemo, useRef } from 'preact/hooks'
import { get, type Good } from '../../api/request'
import { count, date, label } from '../../ui/text'
import { useWidth } from '../../ui/width'
import { whenOf } from '../captures/when'

export type Capture = Good<'/captures'>['captures'][number]
type Dated = Capture & { capture_time: string }

const row = 26 // pixels of height of a movement
const name = 18 // more, where its name stands above its line
const right = 12
const narrow = 560 // pixels, below which names stand above the lines

/** How many captures are asked for at once, and drawn at most: a browser is slow with more dots. */
const atOnce = 500
const most = 5_000

/** allCaptures asks for the captures of an athlete, the newest first, page by page. */
export async function allCaptures(athlete: string, signal: AbortSignal): Promise<Capture[]> {
  const list: Capture[] = []
  const all = pages(0, async (offset) => {
    const query = { athlete_id: athlete, limit: atOnce, offset, include: 'next,time' }
    const page = await get('/captures', { query, signal })
    return { rows: page.captures, next: page.next_offset }
  })
  for await (const some of all) {
    list.push(...some)
    if (list.length >= most) break
  }
  return list
}

/** OverTime shows when captures of an athlete were made: a line a movement, a dot a capture. total is how many there are. */
export function OverTime({ captures, total }: { captures: readonly Capture[]; total: number }) {
  const dated = useMemo(() => captures.filter((c): c is Dated => c.capture_time !== null), [captures])
  return dated.length < 2 ? null : <Lines dated={dated} more={total - captures.length} />
}

function Lines({ dated, more }: { dated: Dated[]; more: number }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, 900)
  const at = dated.map((c) => Date.parse(c.capture_time))
  const first = at.reduce((a, b) => Math.min(a, b))
  const span = Math.max(1, at.reduce((a, b) => Math.max(a, b)) - first)
  // Labels are compared without regard to case; each line is called as its newest capture is.
  const names = new Map<string, string>()
  for (const c of dated) if (!names.has(kindOf(c).toLowerCase())) names.set(kindOf(c).toLowerCase(), kindOf(c))
  const lineOf = new Map([...names.keys()].map((k, n) => [k, n]))
  const above = width < narrow
  const left = above ? 8 : 230
  const step = above ? row + name : row
  const y = (n: number) => n * step + (above ? name + 10 : 14)
  const x = (t: number) => left + ((t - first) / span) * (width - left - right)
  const height = names.size * step + 30
  return (
    <figure class="card over-time">
      <figcaption class="quiet small">
        {more > 0 ? 'The newest' : 'All'} {count(dated.length)} captures with a time, from{' '}
        {date(new Date(first).toISOString())} to {date(new Date(first + span).toISOString())}
      </figcaption>
      <div ref={box}>
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="presentation">
          {[...names.values()].map((k, n) => (
            <g key={k}>
              {above ? (
                <text x={left} y={y(n) - 12}>
                  {k}
                </text>
              ) : (
                <text x={left - 12} y={y(n) + 4} text-anchor="end">
                  {k.length > 30 ? `${k.slice(0, 14)}…${k.slice(-15)}` : k}
                  <title>{k}</title>
                </text>
              )}
              <line x1={left} x2={width - right} y1={y(n)} y2={y(n)} />
            </g>
          ))}
          {dated.map((c, n) => (
            <a key={n} href={`/captures/${encodeURIComponent(c.session_id)}`} tabIndex={-1}>
              <circle class={c.status} cx={x(at[n]!)} cy={y(lineOf.get(kindOf(c).toLowerCase())!)} r={6}>
                <title>{`${kindOf(c)}, ${whenOf(c)}`}</title>
              </circle>
            </a>
          ))}
          <text x={left} y={height - 6}>
            {date(new Date(first).toISOString())}
          </text>
          <text x={width - right} y={height - 6} text-anchor="end">
            {date(new Date(first + span).toISOString())}
          </text>
        </svg>
      </div>
    </figure>
  )
}

function kindOf(c: Capture): string {
  return (
    [c.activity, c.movement]
      .filter((s): s is string => s !== null)
      .map(label)
      .join(' · ') || 'No label'
  )
}
