// Draws the measures between points as lines with their numbers, above the scene and beside the names.

import type { Numbers } from '../data/binary'
import { measured, type Measure } from '../measure/measure'
import { round } from '../words'
import { css, type Palette } from './colours'

/** Ruler is a measure between points of the scene. */
export interface Ruler {
  measure: Measure
  /** The places of its points among those of the scene. */
  at: readonly number[]
  /** Whether the positions are in metres: else a distance has no unit. */
  metric: boolean
}

/** Held is where points of the scene are on the screen, NaN where not, and their columns, three for each. */
export interface Held {
  x: ArrayLike<number>
  y: ArrayLike<number>
  columns: readonly Numbers[]
}

const font = '600 13px system-ui, sans-serif'
/** How large the arc of an angle is, in pixels, where its sides are long enough. */
const reach = 26

/** rulersOf finds the points of measures among those of a scene. */
export function rulersOf(measures: readonly Measure[], names: readonly string[], metric: boolean): Ruler[] {
  return measures.flatMap((measure) => {
    const at = measure.points.map((name) => names.indexOf(name))
    return at.includes(-1) ? [] : [{ measure, at, metric }]
  })
}

/** numberOf is what a ruler measures in a held row, in words; '' where a point of it is missing. */
export function numberOf({ measure, at, metric }: Ruler, columns: readonly Numbers[], row: number): string {
  const own = at.flatMap((p) => [0, 1, 2].map((a) => [columns[3 * p + a]?.[row] ?? NaN]))
  const v = measured(measure, own)[0] ?? NaN
  if (Number.isNaN(v)) return ''
  if (measure.kind !== 'distance') return `${v.toFixed(1)}°`
  return metric ? `${v.toFixed(3)} m` : round(v)
}

/** drawRulers draws the lines of a row and their numbers. */
export function drawRulers(
  pen: CanvasRenderingContext2D,
  rulers: readonly Ruler[],
  { x, y, columns }: Held,
  row: number,
  palette: Palette,
): void {
  pen.font = font
  pen.textAlign = 'center'
  for (const ruler of rulers) {
    const text = numberOf(ruler, columns, row)
    const places = ruler.at.map((p) => [x[p]!, y[p]!] as const)
    if (text === '' || places.some(([px]) => Number.isNaN(px))) continue
    const path = new Path2D()
    for (const [i, [px, py]] of places.entries()) i === 0 ? path.moveTo(px, py) : path.lineTo(px, py)
    const [a, b, c] = places
    const [tx, ty] = c ? corner(path, a!, b!, c) : middle(a!, b!)
    pen.lineWidth = 4
    pen.strokeStyle = palette.halo
    pen.stroke(path)
    pen.lineWidth = 2
    pen.strokeStyle = css(palette.accent)
    pen.stroke(path)
    pen.lineWidth = 4
    pen.strokeStyle = palette.halo
    pen.strokeText(text, tx, ty)
    pen.fillStyle = palette.text
    pen.fillText(text, tx, ty)
  }
  pen.textAlign = 'start'
}

type Place = readonly [x: number, y: number]

function middle([ax, ay]: Place, [bx, by]: Place): [number, number] {
  return [(ax + bx) / 2, (ay + by) / 2 - 6]
}

/** corner puts the arc of an angle at its second point, and gives the place of the number within it. */
function corner(path: Path2D, a: Place, at: Place, c: Place): [number, number] {
  const toA = Math.atan2(a[1] - at[1], a[0] - at[0])
  const toC = Math.atan2(c[1] - at[1], c[0] - at[0])
  // The arc goes the shorter way round.
  const turn = Math.atan2(Math.sin(toC - toA), Math.cos(toC - toA))
  const r = Math.min(reach, Math.hypot(a[0] - at[0], a[1] - at[1]) / 2, Math.hypot(c[0] - at[0], c[1] - at[1]) / 2)
  path.moveTo(at[0] + r * Math.cos(toA), at[1] + r * Math.sin(toA))
  path.arc(at[0], at[1], r, toA, toA + turn, turn < 0)
  const half = toA + turn / 2
  return [at[0] + (r + 24) * Math.cos(half), at[1] + (r + 14) * Math.sin(half) + 4]
}
