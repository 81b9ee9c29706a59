// The shapes of the interface that this screen reads.

import type { components } from '../../api/schema'

export type Capture = components['schemas']['Capture']
export type Motion = components['schemas']['Motion']

/** Channel is a channel of the file, or of a force platform: nobody counts how much of that is missing (null). */
export type Channel = Omit<components['schemas']['Channel'], 'missing'> & { missing: number | null; platform?: true }
export type MotionEvent = components['schemas']['MotionEvent']
export type Computed = NonNullable<Motion['computed']>
export type Athlete = components['schemas']['Athlete']
