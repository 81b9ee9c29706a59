// The frame and the camera of two figures: they stand in the address beside the comparison, and change all the time.

import { written } from '../../capture/seen'
import type { Comparison } from '../address'

/** seenWith is what an address of a comparison also has while its figures are those of before; "" for nothing. */
export function seenWith(before: Comparison, next: Comparison): string {
  const [a, b] = [before.figures, next.figures]
  if (!a || !b || JSON.stringify([a.pair, a.at]) !== JSON.stringify([b.pair, b.at])) return ''
  const query = new URLSearchParams(written())
  // Another scene is seen by another camera.
  const kept = a.lay === b.lay && a.hold === b.hold ? ['frame', 'camera'] : ['frame']
  const texts = kept.flatMap((name) => query.getAll(name).map((text) => [name, text]))
  return texts.length > 0 ? `&${new URLSearchParams(texts)}` : ''
}
