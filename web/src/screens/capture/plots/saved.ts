// A plot as a table and as a picture: the courses that are shown, of the time that is shown.

import { figureOf, xOf, type Figure } from '../../../ui/figure/figure'
import { pictureOf } from '../../../ui/figure/png'
import { decimals } from '../data/decimal'
import type { Channel } from '../types'
import type { Courses } from './chart'
import type { Mark } from './events'
import { shortName } from './looks'
import type { Range } from './range'

/** Part is the samples of a plot that are shown. */
interface Part {
  names: string[]
  time: Float64Array
  columns: Float64Array[]
}

function partOf(channel: Channel, c: Courses, [from, to]: Range, hidden: ReadonlySet<number>): Part {
  const rows = [...c.time.keys()].filter((i) => c.time[i]! >= from && c.time[i]! <= to)
  const shown = channel.columns.flatMap((name, i) => (hidden.has(i) || !c.columns[i] ? [] : [{ name, i }]))
  return {
    names: shown.map((s) => s.name),
    time: Float64Array.from(rows, (i) => c.time[i]!),
    columns: shown.map((s) => {
      const all = decimals(c.columns[s.i]!)
      return Float64Array.from(rows, (i) => all[i]!)
    }),
  }
}

/** plotTable is a plot as rows: the numbers are the decimals that the CSV of the frames has. */
export function plotTable(channel: Channel, c: Courses, range: Range, hidden: ReadonlySet<number>) {
  const { names, time, columns } = partOf(channel, c, range, hidden)
  const cell = (v: number) => (v - v === 0 ? v : null)
  return [['time', ...names], ...Array.from(time, (t, i) => [cell(t), ...columns.map((col) => cell(col[i]!))])]
}

const size = { width: 900, height: 320 }

/** plotFigure is a plot as a figure, with its events, and the names of what it shows. */
export function plotFigure(
  channel: Channel,
  c: Courses,
  range: Range,
  hidden: ReadonlySet<number>,
  marks: readonly Mark[],
  width = size.width,
): { figure: Figure; names: string[] } {
  const { names, time, columns } = partOf(channel, c, range, hidden)
  const f = figureOf({
    ...size,
    width,
    lines: columns.map((y, series) => ({ x: time, y, series, width: 1.6, opacity: 1 })),
    areas: [],
    xText: 'Time in s',
    yText: channel.unit || 'unit unknown',
  })
  for (const m of marks) if (m.time >= f.x[0] && m.time <= f.x[1]) mark(f, m)
  return { figure: f, names: names.map((n) => shortName(channel, n)) }
}

/** plotPicture is a plot as a picture, with its events. */
export function plotPicture(
  channel: Channel,
  c: Courses,
  range: Range,
  hidden: ReadonlySet<number>,
  marks: readonly Mark[],
): Promise<Blob> {
  const { figure, names } = plotFigure(channel, c, range, hidden, marks)
  return pictureOf(figure, channel.name, names)
}

function mark(f: Figure, m: Mark): void {
  const x = Math.round(xOf(f, m.time))
  f.marks.push({ kind: 'line', d: `M${x} ${f.top}V${f.bottom}`, ink: 'text', width: 1, opacity: 0.6, dash: '4 3' })
  f.marks.push({ kind: 'text', x, y: f.top - 4, text: m.short, anchor: 'middle' })
}
