// The skeleton over the picture of a video, by where its landmarks are in it.

import type { Store } from '../data/store'
import { namedOf } from '../scene/points'
import type { Bone } from '../skeleton/bones'
import type { Channel, Motion } from '../types'

/** Landmark is a point whose place in the picture is known, in the order of the points. */
export interface Landmark {
  point: number
  u: string // the column of its place in pixels, to the right
  v: string // downwards
}

/**
 * landmarksOf gives the points whose places in the picture are known: in that of the only camera, or of one of several,
 * counted from 1.
 */
export function landmarksOf(motion: Motion, points: readonly Channel[], camera: number | null = null): Landmark[] {
  const end = camera === null ? '' : `_${camera}`
  const named = namedOf([...points])
  const pixels = new Map(motion.channels.filter((c) => c.unit === 'px').map((c) => [c.name, c.columns[0]]))
  return named.flatMap(({ label, subject }, point) => {
    // As the processor has written it: the name of a second person's point is made distinct by a number.
    const name = subject ? `${subject}:${label}` : label
    const [u, v] = [pixels.get(`${name}_u${end}`), pixels.get(`${name}_v${end}`)]
    return u !== undefined && v !== undefined ? [{ point, u, v }] : []
  })
}

/** clocksOf gives the columns that say how far the clock of each of several cameras is ahead, in their order. */
export function clocksOf(motion: Motion): string[] {
  return motion.channels.filter((c) => c.name.startsWith('sync_offset_') && c.unit === 's').map((c) => c.columns[0]!)
}

/** videosOf gives the captures of the videos that a file of cameras names; none where it is another file. */
export function videosOf(file: unknown): string[] {
  const videos = (file as { videos?: { session_id?: unknown }[] } | null)?.videos
  if (!Array.isArray(videos)) return []
  return videos.flatMap((v) => (typeof v?.session_id === 'string' ? [v.session_id] : []))
}

/** Fitted is how a picture lies in its element: its scale, and where its corner is. */
export interface Fitted {
  scale: number
  left: number
  top: number
}

/** fitted gives where a picture lies that keeps its proportions. */
export function fitted(width: number, height: number, inWidth: number, inHeight: number): Fitted {
  const scale = Math.min(inWidth / width, inHeight / height)
  return { scale, left: (inWidth - width * scale) / 2, top: (inHeight - height * scale) / 2 }
}

export type Line = [fromU: number, fromV: number, toU: number, toV: number]

/** linesOf gives the bones of a row in pixels of the picture; what was not seen has none. */
export function linesOf(store: Store, landmarks: readonly Landmark[], bones: readonly Bone[], row: number): Line[] {
  const places = new Map<number, [number, number]>()
  for (const { point, u, v } of landmarks) {
    const at = [u, v].map((name) => store.columns[store.places.get(name) ?? -1]?.[row] ?? Number.NaN)
    if (!at.some(Number.isNaN)) places.set(point, [at[0]!, at[1]!])
  }
  return bones.flatMap(([from, to]) => {
    const [p, q] = [places.get(from), places.get(to)]
    return p && q ? [[...p, ...q] as Line] : []
  })
}
