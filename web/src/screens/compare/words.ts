// Numbers and axes of a comparison as people read them.

import type { Comparison } from './address'

/** told writes a number with six digits, which is more than any of these measurements has. */
export function told(v: number): string {
  return v - v === 0 ? String(Number(v.toPrecision(6))) : '–'
}

/** deviation writes an SD about a mean: one that is nothing but the rounding of sums is 0. */
export function deviation(sd: number, mean: number): string {
  return told(sd < 1e-12 * Math.abs(mean) ? 0 : sd)
}

/** axisOf says what stands along x. */
export function axisOf(c: Comparison): string {
  const since = c.from ? ` after ${c.from}` : ''
  if (c.over === 'time') return `Time${since} in s`
  if (c.over === 'frames') return `Frames${since}`
  return c.over === 'cycles' ? `% of the cycle of ${c.from}` : `% from ${c.from} to ${c.to}`
}

/** unitsOf is the units of some groups, each once. */
export function unitsOf(groups: readonly { unit: string }[]): string {
  return [...new Set(groups.map((g) => g.unit || 'unit unknown'))].join(', ')
}
