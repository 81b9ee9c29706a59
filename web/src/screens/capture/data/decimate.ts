// Long courses are drawn as the least and the greatest value of every few samples,
// so that no peak is lost and a plot costs what its width costs.

import { lowerBound } from '../../../curves/sorted'

export interface Courses {
  x: number[]
  y: (number | null)[][] // one list for each course
}

/**
 * Courses between two times in at most about 2·buckets points, one more on either
 * side so that lines run out of the plot. All have the same times: of every bucket
 * its begin and its middle, at which the least and the greatest value stand, the
 * earlier one first; that is less than a pixel off. What is missing is null: of a
 * bucket, where all of it is missing.
 */
export function decimate(
  time: ArrayLike<number>,
  columns: ArrayLike<number>[],
  from: number,
  to: number,
  buckets: number,
): Courses {
  const first = Math.max(0, lowerBound(time, from) - 1)
  const last = Math.min(time.length, lowerBound(time, to) + 2)
  const n = Math.max(0, last - first)
  const x: number[] = []
  if (n <= 2 * buckets) {
    for (let i = first; i < last; i++) x.push(time[i]!)
    const y = columns.map((values) => x.map((_, i) => real(values[first + i]!)))
    return { x, y }
  }
  const begin = (b: number) => first + Math.floor((n * b) / buckets)
  for (let b = 0; b < buckets; b++) x.push(time[begin(b)]!, time[(begin(b) + begin(b + 1)) >> 1]!)
  const y = columns.map((values) => {
    const all: (number | null)[] = []
    for (let b = 0; b < buckets; b++) {
      const end = begin(b + 1)
      let low = -1
      let high = -1
      for (let i = begin(b); i < end; i++) {
        const v = values[i]!
        if (v - v !== 0) continue
        if (low < 0 || v < values[low]!) low = i
        if (high < 0 || v > values[high]!) high = i
      }
      if (low < 0) all.push(null, null)
      else all.push(values[Math.min(low, high)]!, values[Math.max(low, high)]!)
    }
    return all
  })
  return { x, y }
}

/** Places of values that have none beside them: a line of them alone would not be seen. */
export function lone(values: ArrayLike<number | null | undefined>): number[] {
  const places: number[] = []
  for (let i = 0; i < values.length; i++) {
    if (values[i] != null && values[i - 1] == null && values[i + 1] == null) places.push(i)
  }
  return places
}

function real(v: number): number | null {
  return v - v === 0 ? v : null
}
