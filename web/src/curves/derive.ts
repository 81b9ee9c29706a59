// Courses that are computed of others: through a low-pass, and how fast they change.

import type { Derivation } from './derived'

/** So many samples a stretch is continued by at both ends; one that is not longer is not smoothed. */
const pad = 15

/** The rate must be so many times the cut-off. */
const oversampling = 5

/**
 * smoothed is numbers through a Butterworth low-pass of the second order, forwards and backwards, so that nothing moves in
 * time: the filter of the computed metrics. Each stretch between gaps goes for itself, its ends continued as if turned about
 * their last value; stretches of fewer than 16 samples stay as they are.
 */
export function smoothed(values: ArrayLike<number>, cutoff: number, rate: number): Float64Array {
  // After two passes the cut-off has −3 dB: that of one pass lies higher by the fourth root of √2 − 1.
  const w = Math.tan((Math.PI * cutoff) / rate) / (Math.SQRT2 - 1) ** 0.25
  const norm = 1 + Math.SQRT2 * w + w * w
  const b0 = (w * w) / norm
  const [b1, b2] = [2 * b0, b0]
  const [a1, a2] = [(2 * (w * w - 1)) / norm, (1 - Math.SQRT2 * w + w * w) / norm]
  const pass = (all: Float64Array) => {
    // As if the first value had been there for ever.
    let s2 = (b2 - a2) * all[0]!
    let s1 = (b1 - a1) * all[0]! + s2
    for (let i = 0; i < all.length; i++) {
      const x = all[i]!
      const y = b0 * x + s1
      s1 = b1 * x - a1 * y + s2
      s2 = b2 * x - a2 * y
      all[i] = y
    }
  }
  const out = Float64Array.from(values)
  for (const [from, to] of stretches(out)) {
    const n = to - from
    if (n <= pad) continue
    const long = new Float64Array(n + 2 * pad)
    long.set(out.subarray(from, to), pad)
    for (let i = 0; i < pad; i++) {
      long[i] = 2 * out[from]! - out[from + pad - i]!
      long[n + pad + i] = 2 * out[to - 1]! - out[to - 2 - i]!
    }
    for (let round = 0; round < 2; round++) {
      pass(long)
      long.reverse()
    }
    out.set(long.subarray(pad, pad + n), from)
  }
  return out
}

/** stretches are where nothing is missing: the first sample, and the one behind the last. */
function stretches(values: Float64Array): [from: number, to: number][] {
  const all: [number, number][] = []
  for (let from = 0; from < values.length; from++) {
    if (Number.isNaN(values[from])) continue
    let to = from
    while (to < values.length && !Number.isNaN(values[to])) to++
    all.push([from, to])
    from = to
  }
  return all
}

/**
 * slopes is how fast numbers change, a second: the difference of both neighbours by the time between them, which is that of
 * an even rate where there is one. It is missing at the ends of stretches.
 */
export function slopes(values: ArrayLike<number>, time: ArrayLike<number>, rate: number | null): Float64Array {
  const last = values.length - 1
  return Float64Array.from({ length: values.length }, (_, i) => {
    if (i === 0 || i === last || Number.isNaN(values[i])) return NaN
    const change = values[i + 1]! - values[i - 1]!
    if (rate !== null) return (change * rate) / 2
    const apart = time[i + 1]! - time[i - 1]!
    return apart > 0 ? change / apart : NaN
  })
}

/** Of is a course that something is derived of. */
export interface Of {
  time: ArrayLike<number>
  values: ArrayLike<number>
  unit: string
  /** Samples a second where they are evenly spaced; null where they are not, or nobody knows. */
  rate: number | null
}

const turns: Record<string, number> = { deg: 360, rad: 2 * Math.PI }

/** derive computes what is derived of a course, or says why that cannot be. */
export function derive({ time, values, unit, rate }: Of, how: Derivation): Float64Array | string {
  if (how.cutoff === null && !how.slope) return Float64Array.from(values)
  if (how.cutoff !== null && rate === null)
    return 'has samples that are not evenly spaced in time, or nobody knows how: the low-pass needs an even rate'
  if (how.cutoff !== null && rate! < oversampling * how.cutoff)
    return `has ${Number(rate!.toPrecision(6))} samples a second: a low-pass at ${how.cutoff} Hz needs at least ${oversampling * how.cutoff}`
  const turn = turns[unit]
  for (let i = 1; turn && i < values.length; i++)
    if (Math.abs(values[i]! - values[i - 1]!) > turn / 2)
      return 'jumps by a whole turn from one sample to the next: neither low-pass nor slope would mean anything there'
  const low = how.cutoff === null ? values : smoothed(values, how.cutoff, rate!)
  return how.slope ? slopes(low, time, rate) : Float64Array.from(low)
}
