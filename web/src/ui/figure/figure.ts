// A chart as marks on a plane: the page shows them as SVG, and a picture of it is painted from the same marks.

import { decimate } from '../../screens/capture/data/decimate'
import { ticks } from '../../screens/capture/plots/ticks'
import { gridOf } from '../grid'

/** Ink is what a mark is drawn with: one of the colours of series, or that of text or grid. */
export type Ink = 'text' | 'grid' | `series-${number}`

/** So many colours series have. Those beyond begin again, with dashes. */
export const inks = 6

/** inkOf and dashOf are how the n-th series is drawn. */
export function inkOf(n: number): Ink {
  return `series-${n % inks}`
}

export function dashOf(n: number): string {
  return ['', '7 4', '2 3'][Math.floor(n / inks) % 3]!
}

export type Mark =
  | { kind: 'line'; d: string; ink: Ink; width: number; opacity: number; dash: string }
  | { kind: 'area'; d: string; ink: Ink; opacity: number }
  | { kind: 'text'; x: number; y: number; text: string; anchor: 'start' | 'middle' | 'end' }

/** Drawn is a course that is drawn as a line. NaN is a gap. */
export interface Drawn {
  x: ArrayLike<number>
  y: ArrayLike<number>
  series: number
  width: number
  opacity: number
}

/** Filled is the stretch between two courses. Where either has a gap nothing is filled. */
export interface Filled {
  x: ArrayLike<number>
  low: ArrayLike<number>
  high: ArrayLike<number>
  series: number
}

export interface Figure {
  width: number
  height: number
  /** The edges of the plane in pixels, and what they stand for. */
  left: number
  right: number
  top: number
  bottom: number
  x: [number, number]
  y: [number, number]
  marks: Mark[]
}

export interface Wanted {
  width: number
  height: number
  lines: readonly Drawn[]
  areas: readonly Filled[]
  /** What stands along the axes, with its unit. */
  xText: string
  yText: string
}

const edge = { top: 22, right: 16, bottom: 44 }

/** figureOf draws lines and areas on axes that have room for all of them. */
export function figureOf(w: Wanted): Figure {
  const [xLow, xHigh] = extent(w.lines.map((l) => l.x))
  const [yLow, yHigh] = extent([...w.lines.map((l) => l.y), ...w.areas.flatMap((a) => [a.low, a.high])])
  const grid = gridOf(yLow, yHigh)
  const names = ticks(grid)
  const left = Math.min(w.width / 3, 18 + 7 * Math.max(...names.map((n) => n.length)))
  const f: Figure = {
    width: w.width,
    height: w.height,
    left,
    right: w.width - edge.right,
    top: edge.top,
    bottom: w.height - edge.bottom,
    x: [xLow, xHigh > xLow ? xHigh : xLow + 1],
    y: [grid[0]!, grid.at(-1)!],
    marks: [],
  }
  grid.forEach((v, i) => {
    f.marks.push(rule(`M${f.left} ${at(yOf(f, v))}H${f.right}`))
    f.marks.push({ kind: 'text', x: f.left - 8, y: yOf(f, v) + 4, text: names[i]!, anchor: 'end' })
  })
  const across = gridOf(...f.x, Math.max(3, (f.right - f.left) / 80)).filter((v) => v >= f.x[0] && v <= f.x[1])
  ticks(across).forEach((text, i) => {
    const x = xOf(f, across[i]!)
    f.marks.push(rule(`M${at(x)} ${f.top}V${f.bottom}`))
    f.marks.push({ kind: 'text', x, y: f.bottom + 17, text, anchor: 'middle' })
  })
  f.marks.push({ kind: 'text', x: (f.left + f.right) / 2, y: f.height - 8, text: w.xText, anchor: 'middle' })
  f.marks.push({ kind: 'text', x: 4, y: 13, text: w.yText, anchor: 'start' })
  for (const a of w.areas) f.marks.push({ kind: 'area', d: areaOf(f, a), ink: inkOf(a.series), opacity: 0.22 })
  for (const l of w.lines) {
    const d = pathOf(f, l.x, l.y)
    if (d)
      f.marks.push({
        kind: 'line',
        d,
        ink: inkOf(l.series),
        width: l.width,
        opacity: l.opacity,
        dash: dashOf(l.series),
      })
  }
  return f
}

function rule(d: string): Mark {
  return { kind: 'line', d, ink: 'grid', width: 1, opacity: 1, dash: '' }
}

/** xOf and yOf are where values stand in the figure. */
export function xOf(f: Figure, v: number): number {
  return f.left + ((v - f.x[0]) / (f.x[1] - f.x[0])) * (f.right - f.left)
}

export function yOf(f: Figure, v: number): number {
  return f.bottom - ((v - f.y[0]) / (f.y[1] - f.y[0])) * (f.bottom - f.top)
}

const at = (v: number) => Math.round(v * 10) / 10

function extent(all: readonly ArrayLike<number>[]): [number, number] {
  let [low, high] = [Infinity, -Infinity]
  for (const values of all) {
    for (let i = 0; i < values.length; i++) {
      const v = values[i]!
      if (v - v !== 0) continue
      if (v < low) low = v
      if (v > high) high = v
    }
  }
  return low <= high ? [low, high] : [0, 1]
}

/** pathOf is a course as a path of SVG. What is missing is a gap; a sample alone is a dot. */
export function pathOf(f: Figure, x: ArrayLike<number>, y: ArrayLike<number>): string {
  const room = Math.max(100, Math.round(f.right - f.left))
  const fine = x.length > 4 * room ? decimate(x, [y], f.x[0], f.x[1], room) : { x, y: [y] }
  const values = fine.y[0]!
  let d = ''
  let on = false
  for (let i = 0; i < fine.x.length; i++) {
    const v = values[i]
    if (v === null || v === undefined || v - v !== 0) {
      on = false
      continue
    }
    const next = values[i + 1]
    const last = next === null || next === undefined || next - next !== 0
    d += `${on ? 'L' : 'M'}${at(xOf(f, fine.x[i]!))} ${at(yOf(f, v))}${!on && last ? 'h.1' : ''}`
    on = true
  }
  return d
}

function areaOf(f: Figure, a: Filled): string {
  let d = ''
  for (let from = 0; from < a.x.length; from++) {
    if (Number.isNaN(a.low[from]! + a.high[from]!)) continue
    let to = from
    while (to + 1 < a.x.length && !Number.isNaN(a.low[to + 1]! + a.high[to + 1]!)) to++
    for (let i = from; i <= to; i++) d += `${i === from ? 'M' : 'L'}${at(xOf(f, a.x[i]!))} ${at(yOf(f, a.high[i]!))}`
    for (let i = to; i >= from; i--) d += `L${at(xOf(f, a.x[i]!))} ${at(yOf(f, a.low[i]!))}`
    d += 'Z'
    from = to
  }
  return d
}
