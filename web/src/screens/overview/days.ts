// Captures a day by movement, made ready for drawing.
import type { Good } from '../../api/request'
import { label } from '../../ui/text'

export type Overview = Good<'/overview'>

/** Kind is a movement that has a colour of its own, or what all others are together. */
export interface Kind {
  name: string
  total: number
  /** Which colour: 0 is the first; null what belongs to none. */
  colour: number | null
}

/** Day is what was captured on one, in the order of the kinds. */
export interface Day {
  day: string
  total: number
  counts: readonly number[]
}

/** How many movements have a colour of their own: more could not be told apart. */
export const coloursMost = 6

/** stacked gives all days, also those without captures, and what they are made of, the most frequent first. */
export function stacked(o: Overview): { kinds: Kind[]; days: Day[] } {
  const totals = new Map<string | null | undefined, number>() // null: without a movement, undefined: others
  for (const c of o.captures_per_day) {
    const k = c.others ? undefined : c.movement
    totals.set(k, (totals.get(k) ?? 0) + c.count)
  }
  const named = [...totals.keys()]
    .filter((k): k is string => typeof k === 'string')
    .sort((a, b) => totals.get(b)! - totals.get(a)! || a.localeCompare(b))
  const own = named.slice(0, coloursMost)
  const kinds: Kind[] = own.map((k, i) => ({ name: label(k), total: totals.get(k)!, colour: i }))
  const rest = named.slice(coloursMost).reduce((n, k) => n + totals.get(k)!, totals.get(undefined) ?? 0)
  const places = new Map<string | null | undefined, number>(own.map((k, i) => [k, i]))
  if (rest > 0) {
    places.set(undefined, kinds.length)
    kinds.push({ name: 'Others', total: rest, colour: null })
  }
  if (totals.has(null)) {
    places.set(null, kinds.length)
    kinds.push({ name: 'No movement', total: totals.get(null)!, colour: null })
  }

  const byDay = new Map<string, number[]>()
  for (const c of o.captures_per_day) {
    const counts = byDay.get(c.day) ?? kinds.map(() => 0)
    byDay.set(c.day, counts)
    const place = (c.others ? undefined : places.get(c.movement)) ?? places.get(undefined)
    if (place !== undefined) counts[place]! += c.count
  }
  const days: Day[] = []
  for (let t = Date.parse(o.from); t <= Date.parse(o.to); t += 86_400_000) {
    const day = new Date(t).toISOString().slice(0, 10)
    const counts = byDay.get(day) ?? kinds.map(() => 0)
    days.push({ day, counts, total: counts.reduce((a, b) => a + b, 0) })
  }
  return { kinds, days }
}

/** scale is where lines of a count go: about four, at round numbers; the last is the top. */
export function scale(most: number): number[] {
  const highest = Math.max(1, most)
  const rough = highest / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((s) => s >= rough)!)
  const lines = []
  for (let n = 0; n < highest + step; n += step) lines.push(n)
  return lines
}
