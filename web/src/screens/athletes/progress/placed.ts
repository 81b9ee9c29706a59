// Where the values of a metric lie in its chart, on the screen and in a picture.

import type { Figure, Mark } from '../../../ui/figure/figure'
import { gridOf } from '../../../ui/grid'
import { date, humanized } from '../../../ui/text'
import type { Dot, Series } from './series'

const height = 260
const top = 12
const bottom = 30
const right = 14
/** A picture is so wide, in pixels. */
const wide = 900

/** placed is the lines of a chart of this width with their names, and where a dot and a value lie in it. */
export function placed({ dots, steps }: Series, width: number) {
  const lines = steps ? steps.map((_, n) => n) : gridOf(least(dots), -least(dots.map((d) => ({ ...d, y: -d.y }))))
  const names = steps ? steps.map(humanized) : lines.map((v) => String(Number(v.toPrecision(12))))
  const left = Math.min(width / 3, 16 + 7.5 * Math.max(...names.map((n) => n.length)))
  const first = dots[0]!.time
  const span = dots.at(-1)!.time - first
  const x = (d: Dot) =>
    span === 0 ? (left + width - right) / 2 : left + 8 + ((d.time - first) / span) * (width - left - right - 16)
  const [low, high] = [lines[0]!, lines.at(-1)!]
  const y = (v: number) => (low === high ? height / 2 : top + (height - top - bottom) * (1 - (v - low) / (high - low)))
  return { height, left, right, lines, names, x, y, low, high, first, span }
}

function least(dots: readonly Pick<Dot, 'y'>[]): number {
  return dots.reduce((low, d) => Math.min(low, d.y), Infinity)
}

/** figureOf is the chart as marks, for a picture. */
export function figureOf(series: Series): Figure {
  const { left, lines, names, x, y, low, high, first, span } = placed(series, wide)
  const { dots } = series
  const line = (d: string, ink: 'grid' | 'series-0', width: number): Mark => {
    return { kind: 'line', d, ink, width, opacity: 1, dash: '' }
  }
  const day = (time: number) => date(new Date(time).toISOString())
  const marks: Mark[] = lines.flatMap((v, n) => [
    line(`M${left} ${y(v)}H${wide - right}`, 'grid', 1),
    { kind: 'text', x: left - 8, y: y(v) + 4, text: names[n]!, anchor: 'end' },
  ])
  marks.push(line(`M${dots.map((d) => `${x(d)} ${y(d.y)}`).join('L')}`, 'series-0', 1.5))
  for (const d of dots)
    marks.push({
      kind: 'area',
      d: `M${x(d) - 5} ${y(d.y)}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0`,
      ink: 'series-0',
      opacity: 1,
    })
  marks.push({ kind: 'text', x: left, y: height - 6, text: day(first), anchor: 'start' })
  if (span > 0) marks.push({ kind: 'text', x: wide - right, y: height - 6, text: day(first + span), anchor: 'end' })
  return { width: wide, height, left, right, top, bottom, x: [first, first + span], y: [low, high], marks }
}
