// What somebody measures between points: it stands in the address, is plotted like a channel, and is never stored.

import { angles, distances, leans, type Course3 } from '../../../curves/measure'
import { ups, type Up } from '../scene/up'
import type { Channel, Motion } from '../types'

/** Measure is a distance of two points, an angle at the second of three, or the lean of the way from one to another. */
export type Measure =
  | { kind: 'distance'; points: [string, string] }
  | { kind: 'angle'; points: [string, string, string] }
  | { kind: 'lean'; points: [string, string]; up: Up }

export type Kind = Measure['kind']

/** The kinds, and how many points each takes. */
export const kinds: readonly { kind: Kind; name: string; points: readonly string[] }[] = [
  { kind: 'distance', name: 'Distance of two points', points: ['From', 'To'] },
  { kind: 'angle', name: 'Angle of three points', points: ['One side', 'At', 'Other side'] },
  { kind: 'lean', name: 'Angle of a segment to the vertical', points: ['From', 'To'] },
]

/** measureText writes a measure for an address: names may hold anything but what parts them. */
export function measureText(m: Measure): string {
  return [m.kind, ...(m.kind === 'lean' ? [m.up] : []), ...m.points.map(encodeURIComponent)].join('/')
}

/** measureOf reads it; null where it says nothing of these points. */
export function measureOf(text: string, points: ReadonlySet<string>): Measure | null {
  const [kind, ...rest] = text.split('/')
  const up = kind === 'lean' ? ups.find((u) => u === rest[0]) : undefined
  let names: string[]
  try {
    names = (kind === 'lean' ? rest.slice(1) : rest).map(decodeURIComponent)
  } catch {
    return null
  }
  if (names.some((n) => !points.has(n)) || new Set(names).size < names.length) return null
  const [a, b, c] = names
  if (kind === 'angle') return names.length === 3 ? { kind, points: [a!, b!, c!] } : null
  if (names.length !== 2) return null
  if (kind === 'distance') return { kind, points: [a!, b!] }
  return kind === 'lean' && up ? { kind, points: [a!, b!], up } : null
}

/** measureName is what the plot of a measure is called. */
export function measureName(m: Measure): string {
  switch (m.kind) {
    case 'distance':
      return `Distance ${m.points.join(' – ')}`
    case 'angle':
      return `Angle ${m.points.join(' – ')}`
    case 'lean':
      return `${m.points.join(' → ')} to the vertical ${m.up.toUpperCase()}`
  }
}

/** channelOf is a measure as a channel. */
export function channelOf(m: Measure, motion: Motion): Channel {
  const name = measureName(m)
  return {
    name,
    kind: 'scalar',
    subject: null,
    unit: m.kind === 'distance' ? (motion.metres > 0 ? 'm' : '') : 'deg',
    rate: motion.rate,
    per_frame: 1,
    missing: null,
    columns: [name],
    measure: m,
  }
}

/** columnsOf is the columns of the points of a measure, three for each. */
export function columnsOf(m: Measure, motion: Motion): string[] {
  return m.points.flatMap((name) => motion.channels.find((c) => c.name === name && c.kind === 'point')?.columns ?? [])
}

/** measured computes a measure out of those columns. */
export function measured(m: Measure, columns: readonly ArrayLike<number>[]): Float64Array {
  const at = (n: number): Course3 => [columns[3 * n]!, columns[3 * n + 1]!, columns[3 * n + 2]!]
  if (m.kind === 'distance') return distances(at(0), at(1))
  if (m.kind === 'angle') return angles(at(0), at(1), at(2))
  const sign = m.up.startsWith('-') ? -1 : 1
  const axis = ['x', 'y', 'z'].indexOf(m.up[1]!)
  return leans(at(0), at(1), [0, 1, 2].map((a) => (a === axis ? sign : 0)) as [number, number, number])
}
