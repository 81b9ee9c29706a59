// The shapes of the interface that this screen reads.

import type { components } from '../../api/schema'

export type Capture = components['schemas']['Capture']
export type Motion = components['schemas']['Motion']
export type Channel = components['schemas']['Channel']
export type MotionEvent = components['schemas']['MotionEvent']
export type Computed = NonNullable<Motion['computed']>
export type Athlete = components['schemas']['Athlete']
