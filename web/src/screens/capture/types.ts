// The shapes of the interface that this screen reads.

import type { components } from 'kinebase/schema'
import type { Derivation } from '../../curves/derived'
import type { Measure } from './measure/measure'

export type Capture = components['schemas']['Capture']
export type Motion = components['schemas']['Motion']

/** Channel is a channel of the file, of a force platform, a measure, or derived: nobody counts how much of those is missing (null). */
export type Channel = Omit<components['schemas']['Channel'], 'missing'> & {
  missing: number | null
  platform?: true
  measure?: Measure
  derived?: { of: Channel; how: Derivation }
}
export type MotionEvent = components['schemas']['MotionEvent']
export type Computed = NonNullable<Motion['computed']>
export type Athlete = components['schemas']['Athlete']
