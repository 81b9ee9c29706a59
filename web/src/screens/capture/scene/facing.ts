// Which way somebody faces, by the names of points: what is left and right of a body,
// and what is in front and behind.

import type { Numbers } from '../data/binary'
import { place } from '../skeleton/names'
import { turn } from './frame'
import type { Up } from './up'

/** A direction on the floor of the scene, of length 1. */
export type Heading = [x: number, z: number]

export interface Named {
  label: string
  subject: string | null
}

type Pair = [from: number, to: number] // places among the points

// Pairs of the trunk and the head do not swing as arms and legs do.
const steady = new Set([
  'asis',
  'psis',
  'hip',
  'shoulder',
  'headfront',
  'headback',
  'ear',
  'eye',
  'temple',
  'collar',
  'clavicle',
  'upleg',
  'thigh',
  'arm',
  'upperarm',
])

// What lies behind and what lies in front of it, on each side or in the middle.
const depths: [back: string, front: string][] = [
  ['psis', 'asis'],
  ['sacrum', 'asis'],
  ['headback', 'headfront'],
  ['ear', 'eye'],
  ['ear', 'nose'],
  ['c7', 'clavicle'],
  ['c7', 'sternum'],
  ['t10', 'sternum'],
  ['t10', 'clavicle'],
  ['heel', 'toe'],
  ['heel', 'mt5'],
  ['heel', 'mt1'],
  ['ankle', 'toe'],
  ['foot', 'toe'],
]

/** A direction counts that is not nearly upright: somebody who lies on a side faces nowhere. */
const leastLevel = 0.35

interface Body {
  subject: string | null
  across: Pair[] // from left to right
  swinging: Pair[] // the same, of arms and legs
  along: Pair[] // from behind to the front
}

export class Facing {
  private readonly bodies: Body[]

  /** columns are x, y, z of each point; rows are those that tell the usual heading. */
  constructor(
    private readonly points: readonly Named[],
    private readonly columns: readonly Numbers[],
    private readonly rows: readonly number[],
  ) {
    this.bodies = [...new Set(points.map((p) => p.subject))]
      .map((s) => bodyOf(points, s))
      .filter((b) => b.across.length + b.swinging.length + b.along.length > 0)
  }

  /**
   * Which way the subject of a point faces in a row, or usually where the row does not
   * tell; of no point (-1) the first subject of whom it is known. null: nobody's is.
   */
  at(up: Up, row: number, point = -1): Heading | null {
    return this.over(up, [row], point)
  }

  /** The same of several rows: their mean. */
  over(up: Up, rows: readonly number[], point = -1): Heading | null {
    const wanted = this.points[point]?.subject
    const order = [...this.bodies].sort((a, b) => Number(b.subject === wanted) - Number(a.subject === wanted))
    for (const body of order) {
      const found = this.ofBody(body, up, rows) ?? this.ofBody(body, up, this.rows)
      if (found) return found
    }
    return null
  }

  private ofBody(b: Body, up: Up, rows: readonly number[]): Heading | null {
    const right = this.mean(b.across, up, rows) ?? this.mean(b.swinging, up, rows)
    const front = this.mean(b.along, up, rows)
    if (!right) return front
    // Upwards × to the right is forwards, but in the mirrored axes that some programs write: what lies in front says
    // so.
    const ahead: Heading = [right[1], -right[0]]
    return front && ahead[0] * front[0] + ahead[1] * front[1] < 0 ? [-ahead[0], -ahead[1]] : ahead
  }

  /** The mean level direction of pairs over rows; null where there is none. */
  private mean(pairs: readonly Pair[], up: Up, rows: readonly number[]): Heading | null {
    let x = 0
    let z = 0
    for (const row of rows) {
      for (const [from, to] of pairs) {
        const way = turn(
          up,
          ...([0, 1, 2].map((a) => this.columns[3 * to + a]![row]! - this.columns[3 * from + a]![row]!) as [
            number,
            number,
            number,
          ]),
        )
        const long = Math.hypot(...way)
        const level = Math.hypot(way[0], way[2])
        if (!(level > leastLevel * long)) continue // also where a point was not seen
        x += way[0] / long
        z += way[2] / long
      }
    }
    const long = Math.hypot(x, z)
    return long > 1e-6 ? [x / long, z / long] : null
  }
}

function bodyOf(points: readonly Named[], subject: string | null): Body {
  const places = new Map<string, number>()
  points.forEach((p, i) => {
    if (p.subject !== subject) return
    const { side, part } = place(p.label)
    const key = `${side}.${part}`
    if (!places.has(key)) places.set(key, i)
  })
  const body: Body = { subject, across: [], swinging: [], along: [] }
  for (const [key, from] of places) {
    const part = key.startsWith('left.') ? key.slice(5) : ''
    const to = part ? places.get(`right.${part}`) : undefined
    if (to !== undefined) (steady.has(part) ? body.across : body.swinging).push([from, to])
  }
  for (const [back, front] of depths) {
    const sides = ['left', 'right', 'middle'] as const
    for (const s of sides) {
      for (const t of s === 'middle' ? sides : [s, 'middle' as const]) {
        const from = places.get(`${s}.${back}`)
        const to = places.get(`${t}.${front}`)
        if (from !== undefined && to !== undefined) body.along.push([from, to])
      }
    }
  }
  return body
}
