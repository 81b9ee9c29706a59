// The points by which a camera follows somebody.

import { place } from '../skeleton/names'
import type { Named } from './facing'

/** What lies at the pelvis. The joints of a skeleton name its root alone. */
const parts = new Set(['pelvis', 'hips', 'root', 'sacrum', 'asis', 'psis'])

/**
 * pelvisOf is the places of the points of a pelvis: of the subject of a point, or with -1 of the first subject that has
 * some. Empty where nobody's has a name that is known.
 */
export function pelvisOf(points: readonly Named[], point: number): number[] {
  const wanted = points[point]?.subject
  const found = points.flatMap((p, i) => (parts.has(place(p.label).part) ? [i] : []))
  const whose = found.some((i) => points[i]!.subject === wanted) ? wanted : points[found[0] ?? -1]?.subject
  return found.filter((i) => points[i]!.subject === whose)
}
