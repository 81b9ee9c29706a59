import { useRef, useState } from 'preact/hooks'
import { visiting } from '../../../api/request'
import { written } from '../../../ui/definition'
import { date, humanized, time } from '../../../ui/text'
import { useWidth } from '../../../ui/width'
import { placed } from './placed'
import type { Dot, Offer, Series } from './series'

/** Chart shows the values of a metric in the order of time, a dot a capture. Arrow keys go from dot to dot, Enter opens; a visitor has nothing to open. */
export function Chart({ series, offer }: { series: Series; offer: Offer }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, 900)
  const { dots } = series
  const [at, setAt] = useState(dots.length - 1)
  const { height, left, right, lines, names, x, y, first, span } = placed(series, width)
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
