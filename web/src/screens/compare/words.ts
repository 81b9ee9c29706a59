// Numbers and axes of a comparison as people read them.

import type { Comparison } from './address'
import { ownOf } from './trial'

/** axisOf says what stands along x. */
export function axisOf(c: Comparison): string {
  const event = eventText(c.from)
  const since = c.from ? ` after ${event}` : ''
  if (c.over === 'time') return `Time${since} in s`
  if (c.over === 'frames') return `Frames${since}`
  return c.over === 'cycles' ? `% of the cycle of ${event}` : `% from ${event} to ${eventText(c.to)}`
}

/** eventText is what an event of a comparison is called. */
export function eventText(name: string): string {
  const own = ownOf(name)
  return own === null ? name : `${own} of its own side`
}

/** unitsOf is the units of some groups, each once. */
export function unitsOf(groups: readonly { unit: string }[]): string {
  return [...new Set(groups.map((g) => g.unit || 'unit unknown'))].join(', ')
}
