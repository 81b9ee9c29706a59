// From where the camera looks.

import type { Heading } from './facing'
import { turn } from './frame'
import { ups, type Up } from './up'

export type Look = 'home' | 'front' | 'back' | 'left' | 'right' | 'top'

/** How high the camera stands, as a part of its distance: from exactly level the floor is a line. */
const lift = 0.08

/**
 * The direction from the target to the camera. Front is before a face, and Right on its right; without a face they are
 * the laboratory's.
 */
export function wayOf(look: Look, heading: Heading | null): [number, number, number] {
  const [x, z] = heading ?? [0, 1]
  switch (look) {
    case 'front':
      return [x, lift, z]
    case 'back':
      return [-x, lift, -z]
    case 'right':
      return heading ? [-z, lift, x] : [1, lift, 0]
    case 'left':
      return heading ? [z, lift, -x] : [-1, lift, 0]
    case 'top':
      return [0, 1, 0.0001]
    default:
      return [0.62, 0.32, 0.78]
  }
}

/** The axis of the file from which a level direction of the scene is seen, such as −Y. */
export function axisOf(up: Up, way: [number, number]): string {
  const one = (axis: Up): [number, number, number] => {
    const v = axis[0] === '-' ? -1 : 1
    return [axis[1] === 'x' ? v : 0, axis[1] === 'y' ? v : 0, axis[1] === 'z' ? v : 0]
  }
  const best = ups
    .map((axis) => ({ axis, at: turn(up, ...one(axis)) }))
    .sort((a, b) => b.at[0] * way[0] + b.at[2] * way[1] - (a.at[0] * way[0] + a.at[2] * way[1]))[0]!
  return best.axis.toUpperCase().replace('-', '−')
}
