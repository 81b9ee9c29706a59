// Distances and angles of points, sample by sample. Where a point is missing there is none.

/** Course3 is where a point is: x, y and z of each sample. */
export type Course3 = readonly [ArrayLike<number>, ArrayLike<number>, ArrayLike<number>]
type Way = [x: number, y: number, z: number]

function way(from: Course3, to: Course3, i: number): Way {
  return [to[0][i]! - from[0][i]!, to[1][i]! - from[1][i]!, to[2][i]! - from[2][i]!]
}

function length([x, y, z]: Way): number {
  return Math.hypot(x, y, z)
}

/** between is the angle of two directions in degrees, 0 to 180; NaN where one of them has no length. */
function between(a: Way, b: Way): number {
  const across = length([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
  const along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
  // Near 0 and 180 degrees the cosine alone would lose half of the digits.
  return length(a) > 0 && length(b) > 0 ? (Math.atan2(across, along) * 180) / Math.PI : NaN
}

/** distances is how far two points are from each other, in their unit. */
export function distances(a: Course3, b: Course3): Float64Array {
  return Float64Array.from({ length: a[0].length }, (_, i) => length(way(a, b, i)))
}

/** angles is the angle at the second of three points, between the ways to the first and to the third, in degrees. */
export function angles(a: Course3, at: Course3, c: Course3): Float64Array {
  return Float64Array.from({ length: a[0].length }, (_, i) => between(way(at, a, i), way(at, c, i)))
}

/** leans is the angle of the way from one point to another to a direction, in degrees: 0 is along it, 180 against it. */
export function leans(from: Course3, to: Course3, direction: Way): Float64Array {
  return Float64Array.from({ length: from[0].length }, (_, i) => between(way(from, to, i), direction))
}
