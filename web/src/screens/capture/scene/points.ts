// The points of a recording as the scene has them.

import type { Store } from '../data/store'
import { bones, sideOf } from '../skeleton/bones'
import type { Channel, Motion } from '../types'
import type { Palette, RGB } from './colours'
import { extentOf } from './frame'
import { findUp, type Positions, type Up } from './up'
import type { Recording } from './view'

/** The channels that are places. */
export function pointsOf(motion: Motion): Channel[] {
  return motion.channels.filter((c) => c.kind === 'point')
}

/** So many rows tell how large everything is. */
const looks = 64

/** What the scene draws, by the rows that are loaded. */
export function recordingOf(motion: Motion, points: Channel[], store: Store): { recording: Recording; up: Up } {
  const labels = points.map((c) => c.name)
  const columns = points.flatMap((c) => c.columns.map((name) => store.columns[store.places.get(name)!]!))
  const rows = new Set<number>()
  for (let i = 0; i < looks; i++) rows.add(store.nearest((i * (motion.frames - 1)) / (looks - 1)))
  rows.delete(-1)
  const positions: Positions = { labels, columns, rows: [...rows] }
  const named = points.map((c) => ({ name: c.name, label: c.name, subject: c.subject }))
  return {
    recording: { labels, columns, bones: bones(named, motion.bones as [string, string][]), extent: extentOf(positions) },
    up: findUp(motion.up, motion.format, positions),
  }
}

export type Colouring = 'subject' | 'side'

/** A colour for every point, by whose it is or on which side. */
export function coloursOf(points: Channel[], by: Colouring, palette: Palette): RGB[] {
  const subjects = [...new Set(points.map((c) => c.subject))]
  return points.map((c) =>
    by === 'side' ? palette.sides[sideOf(c.name)] : palette.subjects[Math.max(0, subjects.indexOf(c.subject)) % palette.subjects.length]!,
  )
}
