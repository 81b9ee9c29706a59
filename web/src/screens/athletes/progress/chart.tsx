import { useRef, useState } from 'preact/hooks'
import { visiting } from '../../../api/request'
import { written } from '../../../ui/definition'
import { gridOf } from '../../../ui/grid'
import { date, humanized, time } from '../../../ui/text'
import { useWidth } from '../../../ui/width'
import type { Dot, Offer, Series } from './series'

const height = 260
const top = 12
const bottom = 30
const right = 14

/** Chart shows the values of a metric in the order of time, a dot a capture. Arrow keys go from dot to dot, Enter opens; a visitor has nothing to open. */
export function Chart({ series, offer }: { series: Series; offer: Offer }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, 900)
  const { dots, steps } = series
  const [at, setAt] = useState(dots.length - 1)
  const lines = steps ? steps.map((_, n) => n) : gridOf(least(dots), -least(dots.map((d) => ({ ...d, y: -d.y }))))
  const names = steps ? steps.map(humanized) : lines.map((v) => String(Number(v.toPrecision(12))))
  const left = Math.min(width / 3, 16 + 7.5 * Math.max(...names.map((n) => n.length)))
  const first = dots[0]!.time
  const span = dots.at(-1)!.time - first
  const x = (d: Dot) =>
    span === 0 ? (left + width - right) / 2 : left + 8 + ((d.time - first) / span) * (width - left - right - 16)
  const [low, high] = [lines[0]!, lines.at(-1)!]
  const y = (v: number) => (low === high ? height / 2 : top + (height - top - bottom) * (1 - (v - low) / (high - low)))
  const tell = (d: Dot) => {
    const value =
      d.value.value === null ? humanized(d.value.text ?? '') : `${written(d.value.value, offer.column)} ${offer.unit}`
    return `${time(d.capture.capture_time!)}: ${value}`
  }
  const key = (e: KeyboardEvent) => {
    const last = dots.length - 1
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[e.key]
    if (to === undefined) return
    e.preventDefault()
    const next = Math.max(0, Math.min(last, to))
    setAt(next)
    box.current?.querySelectorAll<SVGElement>('.dot')[next]?.focus()
  }
  return (
    <div ref={box} class="progress-chart">
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        onKeyDown={key}
        role="group"
        aria-label={`${offer.title} over time; arrow keys go from capture to capture`}
      >
        {lines.map((v, n) => (
          <g key={v} aria-hidden="true">
            <line x1={left} x2={width - right} y1={y(v)} y2={y(v)} />
            <text x={left - 8} y={y(v) + 4} text-anchor="end">
              {names[n]}
            </text>
          </g>
        ))}
        <polyline aria-hidden="true" points={dots.map((d) => `${x(d)},${y(d.y)}`).join(' ')} />
        {dots.map((d, n) => {
          const own = {
            key: d.capture.session_id,
            class: 'dot',
            tabIndex: n === Math.min(at, dots.length - 1) ? 0 : -1,
            'aria-label': tell(d),
            onFocus: () => setAt(n),
          }
          const shown = { ...own, role: 'img' as const }
          const dot = (
            <circle cx={x(d)} cy={y(d.y)} r={6}>
              <title>{tell(d)}</title>
            </circle>
          )
          if (visiting()) return <g {...shown}>{dot}</g>
          return (
            <a {...own} href={`/captures/${encodeURIComponent(d.capture.session_id)}`}>
              {dot}
            </a>
          )
        })}
        <text aria-hidden="true" x={left} y={height - 6}>
          {date(new Date(first).toISOString())}
        </text>
        {span > 0 && (
          <text aria-hidden="true" x={width - right} y={height - 6} text-anchor="end">
            {date(new Date(first + span).toISOString())}
          </text>
        )}
      </svg>
    </div>
  )
}

function least(dots: readonly Pick<Dot, 'y'>[]): number {
  return dots.reduce((low, d) => Math.min(low, d.y), Infinity)
}
