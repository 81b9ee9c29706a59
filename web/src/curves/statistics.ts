// Means, deviations and differences, as the tables and the charts of the console have them.

/** Spread is a mean with the deviation of the sample about it. */
export interface Spread {
  n: number
  mean: number
  /** The standard deviation with n − 1 in the denominator; null for fewer than two values. */
  sd: number | null
}

/** spread is that of some values; null for none. */
export function spread(values: readonly number[]): Spread | null {
  const n = values.length
  if (n === 0) return null
  const mean = values.reduce((sum, v) => sum + v, 0) / n
  if (n === 1) return { n, mean, sd: null }
  return { n, mean, sd: Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1)) }
}

/** Band is the mean of several courses, point by point, and the deviation about it. */
export interface Band {
  mean: Float64Array
  /** NaN where fewer than two courses are. */
  sd: Float64Array
  /** How many courses there are. */
  n: number
  /** At how many points there is no mean, because a course has a gap there. */
  gaps: number
}

/**
 * bandOf is the mean and the deviation of courses of the same points. Where one of them has a gap there is neither: a
 * mean that loses one of its courses from one point to the next would leap.
 */
export function bandOf(courses: readonly Float64Array[]): Band {
  const length = courses[0]?.length ?? 0
  const mean = new Float64Array(length).fill(NaN)
  const sd = new Float64Array(length).fill(NaN)
  let gaps = 0
  for (let k = 0; k < length; k++) {
    const values = courses.map((c) => c[k]!)
    if (values.some((v) => v - v !== 0)) {
      gaps++
      continue
    }
    const s = spread(values)!
    mean[k] = s.mean
    sd[k] = s.sd ?? NaN
  }
  return { mean, sd, n: courses.length, gaps }
}

/** Sample is a value and whose it is; null for nobody's. */
export interface Sample {
  who: string | null
  value: number
}

/** Difference is how much the second of two groups lies above the first. */
export interface Difference {
  value: number
  /** Of the differences of the pairs; null without pairs, or with a single one. */
  sd: number | null
  /** How many athletes are in both groups; 0 where the groups were taken as they are. */
  pairs: number
  /** How many values of both groups belong to nobody who is in both; 0 without pairs. */
  left: number
}

/**
 * difference is paired where an athlete is in both groups: then it is the mean of the athletes' own differences, each
 * of the athlete's mean, and counts nobody else. Otherwise it is the difference of the means. Null where a group is
 * empty.
 */
export function difference(first: readonly Sample[], second: readonly Sample[]): Difference | null {
  const [a, b] = [byAthlete(first), byAthlete(second)]
  const both = [...a.keys()].filter((who) => b.has(who))
  if (both.length === 0) {
    const [before, then] = [spread(first.map((s) => s.value)), spread(second.map((s) => s.value))]
    return before && then ? { value: then.mean - before.mean, sd: null, pairs: 0, left: 0 } : null
  }
  const own = spread(both.map((who) => spread(b.get(who)!)!.mean - spread(a.get(who)!)!.mean))!
  const left = [...first, ...second].filter((s) => s.who === null || !both.includes(s.who)).length
  return { value: own.mean, sd: own.sd, pairs: both.length, left }
}

function byAthlete(samples: readonly Sample[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const { who, value } of samples) if (who !== null) found.set(who, [...(found.get(who) ?? []), value])
  return found
}

/** Shared is the times that several courses have, and with which of its samples each has the first of them. */
export interface Shared {
  x: Float64Array
  from: number[]
}

/**
 * sharedTimes gives the times of all courses between the latest first one and the earliest last one; null where their
 * samples fall on different times there, or there is none.
 */
export function sharedTimes(all: readonly Float64Array[]): Shared | null {
  const near = 1e-9
  const begin = Math.max(...all.map((x) => x[0] ?? Infinity))
  const from = all.map((x) => x.findIndex((t) => t > begin - near))
  if (from.some((n) => n < 0)) return null
  const length = Math.min(...all.map((x, i) => x.length - from[i]!))
  const x = all[0]!.subarray(from[0]!, from[0]! + length)
  return all.every((o, i) => x.every((t, k) => Math.abs(t - o[from[i]! + k]!) < near)) ? { x, from } : null
}
