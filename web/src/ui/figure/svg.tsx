import { useMemo } from 'preact/hooks'
import type { Figure, Mark } from './figure'
import './figure.css'

/** Marks shows the marks of a figure inside of an svg. */
export function Marks({ figure }: { figure: Figure }) {
  // A cursor that moves over thousands of lines draws none of them again.
  return useMemo(() => <g>{figure.marks.map((m, i) => one(m, i))}</g>, [figure])
}

function one(m: Mark, key: number) {
  if (m.kind === 'text') {
    return (
      <text key={key} x={m.x} y={m.y} text-anchor={m.anchor}>
        {m.text}
      </text>
    )
  }
  if (m.kind === 'area') return <path key={key} class={`area ${m.ink}`} d={m.d} fill-opacity={m.opacity} />
  return (
    <path
      key={key}
      class={`line ${m.ink}`}
      d={m.d}
      stroke-width={m.width}
      stroke-opacity={m.opacity}
      stroke-dasharray={m.dash || undefined}
    />
  )
}
