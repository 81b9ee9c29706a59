// Looking numbers up in lists that increase.

/** First place in sorted times that is not below t. */
export function lowerBound(time: ArrayLike<number>, t: number): number {
  let low = 0
  let high = time.length
  while (low < high) {
    const mid = (low + high) >> 1
    if (time[mid]! < t) low = mid + 1
    else high = mid
  }
  return low
}

/** after is how many of the times, which never decrease, are not above t. */
export function after(time: ArrayLike<number>, t: number): number {
  let at = lowerBound(time, t)
  while (time[at] === t) at++
  return at
}

/** nearest is the place of the value that lies nearest to v in a sorted list; -1 in an empty one. */
export function nearest(x: ArrayLike<number>, v: number): number {
  const at = lowerBound(x, v)
  if (at === x.length) return at - 1
  return at > 0 && v - x[at - 1]! <= x[at]! - v ? at - 1 : at
}
