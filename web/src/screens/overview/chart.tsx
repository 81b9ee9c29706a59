import { useRef, useState } from 'preact/hooks'
import { count, things } from '../../ui/text'
import { useWidth } from '../../ui/width'
import { dayOf } from './words'
import { scale, type Day, type Kind } from './days'

const height = 300
const left = 44
const bottom = 26
const top = 10

/** Chart shows captures a day as stacked bars. Pointing or the arrow keys choose a day. */
export function Chart({ kinds, days }: { kinds: readonly Kind[]; days: readonly Day[] }) {
  const [at, setAt] = useState<number | null>(null)
  const plot = useRef<HTMLDivElement>(null)
  const width = useWidth(plot, 1120)
  const lines = scale(Math.max(...days.map((d) => d.total)))
  const most = lines.at(-1)!
  const slot = (width - left) / days.length
  const bar = Math.max(1, Math.min(28, slot * 0.72))
  const x = (n: number) => left + slot * n + (slot - bar) / 2
  const y = (v: number) => top + (height - top - bottom) * (1 - v / most)
  const day = at === null ? undefined : days[at]

  const key = (e: KeyboardEvent) => {
    const now = at ?? days.length - 1
    const to = {
      ArrowLeft: now - (at === null ? 0 : 1),
      ArrowRight: now + (at === null ? 0 : 1),
      Home: 0,
      End: days.length - 1,
    }[e.key]
    if (e.key === 'Escape') setAt(null)
    if (to === undefined) return
    e.preventDefault()
    setAt(Math.max(0, Math.min(days.length - 1, to)))
  }
  const point = (e: PointerEvent) => {
    const box = (e.currentTarget as SVGElement).getBoundingClientRect()
    const n = Math.floor((((e.clientX - box.left) / box.width) * width - left) / slot)
    setAt(n >= 0 && n < days.length ? n : null)
  }
  return (
    <div class="chart">
      <div
        ref={plot}
        class="bars"
        role="group"
        tabIndex={0}
        aria-label="Captures a day; arrow keys go from day to day"
        aria-describedby="chart-day"
        onKeyDown={key}
        onFocus={(e) => {
          if (e.currentTarget.matches(':focus-visible')) setAt(days.length - 1)
        }}
        onBlur={() => setAt(null)}
      >
        <svg
          viewBox={`0 0 ${width} ${height}`}
          aria-hidden="true"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setAt(null)}
        >
          {lines.map((v) => (
            <g key={v}>
              <line x1={left} x2={width} y1={y(v)} y2={y(v)} />
              <text x={left - 10} y={y(v) + 4} text-anchor="end">
                {count(v)}
              </text>
            </g>
          ))}
          {at !== null && (
            <rect class="here" x={left + slot * at} width={slot} y={top} height={height - top - bottom} />
          )}
          {days.map((d, n) => {
            let below = 0
            return (
              <g key={d.day} class={at !== null && at !== n ? 'aside' : undefined}>
                {d.counts.map((v, k) => {
                  if (v === 0) return null
                  below += v
                  return (
                    <rect
                      key={k}
                      class={colourOf(kinds[k]!)}
                      x={x(n)}
                      width={bar}
                      y={y(below)}
                      height={y(below - v) - y(below)}
                    />
                  )
                })}
              </g>
            )
          })}
          {ticks(days.length, Math.max(2, Math.floor(width / 110))).map((n) => (
            <text
              key={n}
              x={n === days.length - 1 ? width : left + slot * (n + 0.5)}
              y={height - 6}
              text-anchor={n === days.length - 1 ? 'end' : 'middle'}
            >
              {dayOf(days[n]!.day)}
            </text>
          ))}
        </svg>
        <div
          id="chart-day"
          class={`tip${day ? '' : ' off'}`}
          role="status"
          ref={(e) => {
            if (e && at !== null) place(e, (left + slot * (at + 0.5)) / width)
          }}
        >
          {day && (
            <>
              <strong>{dayOf(day.day, true)}</strong>
              <span>{things(day.total, 'capture')}</span>
              {day.counts.map(
                (v, k) =>
                  v > 0 && (
                    <span key={k} class="kind">
                      <i class={colourOf(kinds[k]!)} />
                      <bdi>{kinds[k]!.name}</bdi> <b>{count(v)}</b>
                    </span>
                  ),
              )}
            </>
          )}
        </div>
      </div>
      <ul class="legend" aria-label="Movements">
        {kinds.map((k) => (
          <li key={k.name} class="kind">
            <i class={colourOf(k)} />
            <bdi>{k.name}</bdi> <span class="quiet">{count(k.total)}</span>
          </li>
        ))}
      </ul>
      <Numbers kinds={kinds} days={days} />
    </div>
  )
}

function colourOf(k: Kind): string {
  return k.colour === null ? (k.name === 'Others' ? 'k-others' : 'k-none') : `k-${k.colour}`
}

/**
 * place puts the tip beside the day, on the side that has room. The policy of the page forbids style in HTML, not
 * this.
 */
function place(tip: HTMLElement, share: number): void {
  const right = share > 0.5
  tip.style.left = right ? 'auto' : `calc(${share * 100}% + 0.75rem)`
  tip.style.right = right ? `calc(${(1 - share) * 100}% + 0.75rem)` : 'auto'
}

/** ticks are the days that are written below, so many at most, the last one among them. */
function ticks(days: number, most: number): number[] {
  const step = Math.ceil(days / most)
  return Array.from({ length: days }, (_, n) => n).filter(
    (n) => (days - 1 - n) % step === 0 && (n >= step / 3 || n === days - 1),
  )
}

/** Numbers is the same as a table, for who cannot see the picture. A table alone does not shrink out of sight. */
function Numbers({ kinds, days }: { kinds: readonly Kind[]; days: readonly Day[] }) {
  return (
    <div class="unseen">
      <table>
        <caption>Captures a day by movement; days without any are left out</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">All</th>
            {kinds.map((k) => (
              <th key={k.name} scope="col">
                {k.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days
            .filter((d) => d.total > 0)
            .map((d) => (
              <tr key={d.day}>
                <th scope="row">{dayOf(d.day, true)}</th>
                <td>{d.total}</td>
                {d.counts.map((v, k) => (
                  <td key={k}>{v}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}
