// What a scene draws of recordings that are posed together.

import { Facing } from '../../capture/scene/facing'
import { baseOf, extentOf, fromBase, type Extent } from '../../capture/scene/frame'
import type { Recording } from '../../capture/scene/view'
import { outputsOf } from '../../capture/skeleton/outputs'
import { namedOf } from '../../capture/scene/points'
import type { Bone } from '../../capture/skeleton/bones'
import type { Clock } from '../../capture/player'
import type { Posed } from './posed'

/** So many times tell how large everything is. */
const looks = 64

/** hiddenOf is which points of some recordings are put out by a model; none where that would leave nothing. */
export function hiddenOf(posed: readonly Posed[]): boolean[] {
  return posed.flatMap((p) => {
    const found = outputsOf(namedOf(p.source.points))
    return found.includes(false) ? found : found.map(() => false)
  })
}

/** extentTogether is where they are, over the whole time. */
export function extentTogether(posed: readonly Posed[], clock: Clock): Extent {
  const hidden = hiddenOf(posed)
  const columns = posed.flatMap((p) => p.live)
  const worn = hidden.flatMap((h, i) => (h ? [] : [i]))
  const seen = worn.flatMap(() => [0, 1, 2].map(() => new Float64Array(looks)))
  for (let n = 0; n < looks; n++) {
    const at = clock.start + Math.round((n * (clock.rows - 1)) / (looks - 1)) / clock.rate!
    for (const p of posed) p.show(p.moment + at)
    worn.forEach((point, i) => {
      for (let a = 0; a < 3; a++) seen[3 * i + a]![n] = columns[3 * point + a]![0]!
    })
  }
  const labels = worn.map(String)
  return extentOf({ labels, columns: seen, rows: Array.from({ length: looks }, (_, n) => n) })
}

/** recordingTogether is a recording of one row: where the points of all are now. */
export function recordingTogether(posed: readonly Posed[], extent: Extent): Recording {
  const columns = posed.flatMap((p) => p.live)
  const points = posed.flatMap((p) => p.points)
  const base = baseOf(extent)
  let first = 0
  const bones: Bone[] = []
  for (const p of posed) {
    for (const [a, b] of p.source.bones) bones.push([a + first, b + first])
    first += p.points.length
  }
  return {
    labels: posed.flatMap((p) => p.source.points.map((c) => c.name)),
    columns,
    base,
    bones,
    extent: fromBase(extent, base),
    points,
    facing: new Facing(points, columns, [0]),
  }
}
