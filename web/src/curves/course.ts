// Courses of numbers over time, and stretches of them at evenly spaced points.

import { after } from './sorted'

/** Course is one column of a recording: its samples with their times, in seconds. NaN is what is missing. */
export interface Course {
  time: Float64Array
  values: Float64Array
}

/** Span is a stretch of time, in seconds on the clock of the recording. */
export interface Span {
  from: number
  to: number
}

/** So many points a normalised course has: 0 %, 1 %, … 100 %. */
export const points = 101

/** A point that is so near to a sample, as a part of the way between two samples, is that sample. */
const near = 1e-9

/** increasing says whether every time lies after the one before. Only such a course can be looked up by time. */
export function increasing(time: ArrayLike<number>): boolean {
  for (let i = 0; i < time.length; i++)
    if (!(i === 0 ? time[0]! - time[0]! === 0 : time[i]! > time[i - 1]!)) return false
  return true
}

/**
 * valueAt is the value at a time, on the straight line between the two samples beside it. It is NaN where one of the
 * two is missing, and outside of the course: nothing is bridged and nothing is made longer.
 */
export function valueAt(c: Course, t: number): number {
  const { time, values } = c
  const n = time.length
  if (n === 0 || t - t !== 0) return NaN
  const spacing = n > 1 ? (time[n - 1]! - time[0]!) / (n - 1) : 0
  if (t < time[0]!) return time[0]! - t <= near * spacing ? values[0]! : NaN
  const at = after(time, t) - 1
  if (at === n - 1) return t - time[at]! <= near * spacing ? values[at]! : NaN
  const part = (t - time[at]!) / (time[at + 1]! - time[at]!)
  if (part <= near) return values[at]!
  if (part >= 1 - near) return values[at + 1]!
  return values[at]! + part * (values[at + 1]! - values[at]!)
}

/** normalised is a stretch of a course at evenly spaced points from its beginning to its end, both included. */
export function normalised(c: Course, span: Span, n = points): Float64Array {
  if (!(span.to > span.from)) return new Float64Array(n).fill(NaN)
  return Float64Array.from({ length: n }, (_, k) =>
    valueAt(c, k === n - 1 ? span.to : span.from + ((span.to - span.from) * k) / (n - 1)),
  )
}

/** Reading is what a stretch of a course says, of the samples in it. */
export interface Reading {
  min: number
  max: number
  mean: number
  /** The greatest value less the least one. */
  range: number
  samples: number
  missing: number
}

/** reading reads the samples of a stretch, its ends included; null where it has none. */
export function reading(c: Course, span: Span): Reading | null {
  let [min, max, sum, samples, missing] = [Infinity, -Infinity, 0, 0, 0]
  for (let i = 0; i < c.time.length; i++) {
    const t = c.time[i]!
    if (!(t >= span.from && t <= span.to)) continue
    const v = c.values[i]!
    if (v - v !== 0) {
      missing++
      continue
    }
    samples++
    sum += v
    if (v < min) min = v
    if (v > max) max = v
  }
  return samples === 0 ? null : { min, max, mean: sum / samples, range: max - min, samples, missing }
}
