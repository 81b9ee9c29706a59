// Numbers of 32 bits as the interface writes them.

import type { Numbers } from './binary'

/**
 * decimal is the shortest decimal of a number of 32 bits: what JSON and CSV of the interface have for it. As a number of
 * 64 bits it differs from the one of 32 behind the seventh digit.
 */
export function decimal(v: number): number {
  if (v - v !== 0) return v
  for (const digits of [6, 7, 8]) {
    const d = Number(v.toPrecision(digits))
    if (Math.fround(d) === v) return d
  }
  return Number(v.toPrecision(9))
}

const made = new WeakMap<Numbers, Float64Array>()

/** decimals is that of all numbers of a column; they are made once. */
export function decimals(column: Numbers): Float64Array {
  if (column instanceof Float64Array) return column
  const all = made.get(column) ?? Float64Array.from(column, decimal)
  made.set(column, all)
  return all
}
