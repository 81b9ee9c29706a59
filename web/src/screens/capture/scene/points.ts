// The points of a recording as the scene has them.

import type { Store } from '../data/store'
import { sideOf, type Bone, type NamedPoint } from '../skeleton/bones'
import { outputsOf } from '../skeleton/outputs'
import type { Channel, Motion } from '../types'
import type { Palette, RGB } from './colours'
import { Facing } from './facing'
import { baseOf, extentOf, fromBase } from './frame'
import { findUp, type Positions, type Up } from './up'
import type { Recording } from './view'

/** The channels that are places. */
export function pointsOf(motion: Motion): Channel[] {
  return motion.channels.filter((c) => c.kind === 'point')
}

/**
 * The names of points as their subjects have them: where two people wear the same
 * marker, the channel of the second one is called C7_2.
 */
export function labelsOf(points: Channel[]): string[] {
  const owners = new Map(points.map((c) => [c.name, c.subject]))
  return points.map((c) => {
    const base = /^(.+)_\d+$/.exec(c.name)?.[1]
    const other = base === undefined ? undefined : owners.get(base)
    return base !== undefined && other !== undefined && other !== c.subject ? base : c.name
  })
}

/** namedOf is what is known of points by their names. */
export function namedOf(points: Channel[]): NamedPoint[] {
  const labels = labelsOf(points)
  return points.map((c, i) => ({ name: c.name, label: labels[i]!, subject: c.subject }))
}

/** So many rows tell how large everything is. */
const looks = 64

/** Places of what somebody wears in some rows: enough to tell how large everything is, and what is up. */
function someOf(motion: Motion, all: Channel[], store: Store): Positions {
  const outputs = outputsOf(namedOf(all))
  const worn = all.filter((_, i) => !outputs[i])
  const points = worn.length > 0 ? worn : all
  const rows = new Set<number>()
  for (let i = 0; i < looks; i++) rows.add(store.nearest((i * (motion.frames - 1)) / (looks - 1)))
  rows.delete(-1)
  const columns = points.flatMap((c) => c.columns.map((name) => store.columns[store.places.get(name)!]!))
  return { labels: labelsOf(points), columns, rows: [...rows] }
}

/** upOf is which axis points upwards. */
export function upOf(motion: Motion, points: Channel[], store: Store): Up {
  return findUp(motion.up, motion.format, someOf(motion, points, store))
}

/** What the scene draws, by the rows that are loaded. */
export function recordingOf(
  motion: Motion,
  points: Channel[],
  store: Store,
  bones: Bone[],
): { recording: Recording; up: Up } {
  const positions = someOf(motion, points, store)
  const columns = points.flatMap((c) => c.columns.map((name) => store.columns[store.places.get(name)!]!))
  const extent = extentOf(positions)
  const base = baseOf(extent)
  const named = namedOf(points)
  return {
    recording: {
      labels: points.map((c) => c.name),
      columns,
      base,
      bones,
      extent: fromBase(extent, base),
      points: named,
      facing: new Facing(named, columns, [...positions.rows]),
    },
    up: findUp(motion.up, motion.format, positions),
  }
}

export type Colouring = 'subject' | 'side'

/** A colour for every point, by whose it is or on which side. */
export function coloursOf(points: Channel[], by: Colouring, palette: Palette): RGB[] {
  const subjects = [...new Set(points.map((c) => c.subject))]
  const labels = labelsOf(points)
  return points.map((c, i) =>
    by === 'side'
      ? palette.sides[sideOf(labels[i]!)]
      : palette.subjects[Math.max(0, subjects.indexOf(c.subject)) % palette.subjects.length]!,
  )
}
