import type { Motion } from '../capture/types'

/** rowOf is the row at a time of an evenly spaced recording; null where it lies outside. */
export function rowOf(motion: Motion, time: number): number | null {
  const row = Math.round((time - motion.start) * (motion.rate ?? NaN))
  return row >= 0 && row < motion.frames ? row : null
}

/** timeOf is the time of a row of such a recording; null where nobody knows. */
export function timeOf(motion: Motion, row: number): number | null {
  return motion.even && motion.rate !== null ? motion.start + row / motion.rate : null
}
