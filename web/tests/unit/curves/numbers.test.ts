import { describe, expect, test } from 'vitest'
import { increasing, normalised, points, reading, valueAt, type Course } from '../../../src/curves/course'
import { between, cyclesOf, phasesOf, timesOf } from '../../../src/curves/spans'
import { bandOf, difference, spread } from '../../../src/curves/statistics'
import { agree, numpy, testOfNumpy } from '../../numpy'

/** random gives the same numbers each time (mulberry32). */
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const missing = (v: ArrayLike<number>) => Array.from(v, (x) => (Number.isNaN(x) ? null : x))

/** made is a course with gaps, evenly spaced or not. */
function made(seed: number, rate: number, even: boolean): Course {
  const next = random(seed)
  const n = 200 + Math.floor(next() * 200)
  const start = next() * 10
  const time = Float64Array.from({ length: n }, (_, i) => start + (i + (even ? 0 : next() * 0.8)) / rate)
  const values = Float64Array.from({ length: n }, (_, i) => 40 * Math.sin(i / 20 + next()) + 500 * next())
  for (let g = 0; g < 3; g++) values.fill(NaN, Math.floor(next() * n), Math.floor(next() * n))
  return { time, values }
}

// Written apart from the console: the samples beside each point are found by searchsorted, and a gap is asked for by name.
const normalise = `
def normalise(t, y, a, b, n=101):
    out = np.full(n, np.nan)
    for k, at in enumerate(np.linspace(a, b, n)):
        i = int(np.argmin(np.abs(t - at)))
        if abs(t[i] - at) < 1e-11:
            out[k] = y[i]
            continue
        hi = int(np.searchsorted(t, at))
        if hi == 0 or hi == len(t): continue
        if np.isnan(y[hi - 1]) or np.isnan(y[hi]): continue
        out[k] = np.interp(at, t[hi - 1:hi + 1], y[hi - 1:hi + 1])
    return out
`

describe('the numbers of curves', () => {
  testOfNumpy('are those of numpy: stretches at 101 points, with their gaps', () => {
    const cases = Array.from({ length: 40 }, (_, seed) => {
      const course = made(seed + 1, [50, 59.94, 100, 240][seed % 4]!, seed % 3 > 0)
      const next = random(seed + 1000)
      const [first, last] = [course.time[0]!, course.time.at(-1)!]
      // Every fourth stretch begins and ends at samples, some run out of the recording.
      const from = seed % 4 === 0 ? course.time[10]! : first + (next() - 0.1) * (last - first) * 0.5
      const to = seed % 4 === 0 ? course.time[110]! : from + next() * (last - first)
      return { course, from, to }
    })
    const found = numpy<(number | null)[][]>(`${normalise}\nfound = [normalise(column(c['t']), column(c['y']), c['a'], c['b']) for c in given]`, cases.map((c) => ({ t: [...c.course.time], y: missing(c.course.values), a: c.from, b: c.to })))
    cases.forEach((c, i) => agree(normalised(c.course, c), found[i]!, `course ${i}`))
    expect(found.flat().filter((v) => v === null).length).toBeGreaterThan(100)
    expect(found.flat().filter((v) => v !== null).length).toBeGreaterThan(1000)
  })

  testOfNumpy('are those of numpy: mean and deviation of courses, and what a stretch says', () => {
    const next = random(7)
    const courses = Array.from({ length: 40 }, (_, i) => Float64Array.from({ length: points }, (_, k) => (i === 3 && k > 20 && k < 33 ? NaN : 60 + 1e-3 * next() * k)))
    const course = made(9, 100, true)
    const stretch = { from: course.time[20]!, to: course.time[150]! }
    const theirs = numpy<{ mean: (number | null)[]; sd: (number | null)[]; read: number[] }>(
      `
c = np.array([column(v) for v in given['courses']])
t, y = column(given['t']), column(given['y'])
y = y[(t >= given['a']) & (t <= given['b'])]
found = dict(mean=c.mean(axis=0), sd=c.std(axis=0, ddof=1), read=[np.nanmin(y), np.nanmax(y), np.nanmean(y), np.nanmax(y) - np.nanmin(y), np.sum(~np.isnan(y)), np.sum(np.isnan(y))])`,
      { courses: courses.map(missing), t: [...course.time], y: missing(course.values), a: stretch.from, b: stretch.to },
    )
    const band = bandOf(courses)
    agree(band.mean, theirs.mean)
    agree(band.sd, theirs.sd)
    expect([band.n, band.gaps]).toEqual([40, 12])
    const r = reading(course, stretch)!
    agree([r.min, r.max, r.mean, r.range, r.samples, r.missing], theirs.read)
  })

  test('bridge no gap: a point beside a missing sample is missing, one on a sample is that sample', () => {
    const c: Course = { time: Float64Array.of(0, 1, 2, 3), values: Float64Array.of(1, 2, NaN, 4) }
    expect([-0.1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.1].map((t) => valueAt(c, t))).toEqual([NaN, 1, 1.5, 2, NaN, NaN, NaN, 4, NaN])
    expect(reading(c, { from: 2, to: 2 })).toBeNull()
    expect([...normalised(c, { from: 1, to: 1 })].every(Number.isNaN)).toBe(true)
  })

  test('have a time to look up only where times increase', () => {
    expect([[], [0], [0, 1, 2], [0, 0, 1], [0, 2, 1], [NaN], [0, NaN]].map((t) => increasing(t))).toEqual([true, true, true, false, false, false, false])
  })

  test('have no deviation of a single course, and none of nothing', () => {
    expect(spread([])).toBeNull()
    expect(spread([3])).toEqual({ n: 1, mean: 3, sd: null })
    expect([...bandOf([Float64Array.of(1, 2)]).sd]).toEqual([NaN, NaN])
    expect(bandOf([])).toMatchObject({ n: 0, gaps: 0 })
  })

  testOfNumpy('are paired by athlete', () => {
    const sample = (who: string | null, value: number) => ({ who, value })
    const first = [sample('ann', 10), sample('ann', 14), sample('bea', 20), sample('cid', 99), sample(null, 1)]
    const second = [sample('ann', 15), sample('bea', 26), sample('bea', 30), sample(null, 7)]
    const [value, sd] = numpy<[number, number]>(`d = np.array([15 - np.mean([10, 14]), np.mean([26, 30]) - 20])\nfound = [d.mean(), d.std(ddof=1)]`, null)
    const d = difference(first, second)!
    agree([d.value, d.sd!], [value, sd])
    expect([d.pairs, d.left]).toEqual([2, 3])
    expect(difference([sample('ann', 1), sample(null, 3)], [sample('bea', 5)])).toEqual({ value: 3, sd: null, pairs: 0, left: 0 })
    expect(difference([sample('ann', 1)], [sample('ann', 4)])).toEqual({ value: 3, sd: null, pairs: 1, left: 0 })
    expect(difference([], [sample('ann', 4)])).toBeNull()
  })
})

describe('stretches between events', () => {
  const moments = [['R strike', 2.5], ['L strike', 1], ['L strike', 3], ['L strike', 2], ['L strike', 2], ['off', 1.6], ['off', 0.5], ['lost', NaN]].map(([name, time]) => ({ name: name as string, time: time as number }))

  test('begin with the first and end with the next after it', () => {
    expect(between(moments, 'L strike', 'off')).toEqual({ from: 1, to: 1.6 })
    expect(between(moments, 'off', 'L strike')).toEqual({ from: 0.5, to: 1 })
    expect(between(moments, 'L strike', 'L strike')).toEqual({ from: 1, to: 2 })
    expect(between(moments, 'R strike', 'off')).toBeNull()
    expect(between(moments, 'lost', 'off')).toBeNull()
  })

  test('have within them what else happens, by its first time', () => {
    const { names, cycles } = phasesOf([...moments, { name: 'off', time: 2.75 }, { name: 'off', time: 2.8 }], 'L strike')
    expect(names).toEqual(['R strike', 'off'])
    expect(cycles.map((c) => c.duration)).toEqual([1, 1])
    expect(cycles.map((c) => c.at.map((v) => v && Math.round(v)))).toEqual([[null, 60], [50, 75]])
    expect(phasesOf(moments, 'R strike')).toEqual({ names: [], cycles: [] })
  })

  test('are cycles from each to the next', () => {
    expect(timesOf(moments, 'L strike')).toEqual([1, 2, 3])
    expect(cyclesOf(moments, 'L strike')).toEqual([{ from: 1, to: 2 }, { from: 2, to: 3 }])
    expect(cyclesOf(moments, 'R strike')).toEqual([])
  })
})
