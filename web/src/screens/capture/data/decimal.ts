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
    if (Math.fround(d) === v) return digits === 6 ? d : even(v, digits, d)
  }
  return Number(v.toPrecision(9))
}

/** even is, of the two decimals between which a number lies in the middle, the one that ends evenly; else the nearest. */
function even(v: number, digits: number, nearest: number): number {
  const more = v.toExponential(digits)
  const end = more.indexOf('e')
  if (more[end - 1] !== '5' || Number(more) !== v || Number(more[end - 2]) % 2 === 1) return nearest
  return Number(more.slice(0, end - 1) + more.slice(end))
}

const made = new WeakMap<Numbers, Float64Array>()

/** decimals is that of all numbers of a column; they are made once. */
export function decimals(column: Numbers): Float64Array {
  if (column instanceof Float64Array) return column
  const all = made.get(column) ?? Float64Array.from(column, decimal)
  made.set(column, all)
  return all
}
