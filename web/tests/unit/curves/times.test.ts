import { expect, it } from 'vitest'

import { sharedTimes } from '../../../src/curves/statistics'

const times = (n: number, rate: number, from = 0) => Float64Array.from({ length: n }, (_, i) => from + i / rate)

it('courses share their times as far as the shortest goes', () => {
  expect(sharedTimes([times(3, 100), times(2, 100)])).toEqual({ x: Float64Array.of(0, 0.01), from: [0, 0] })
  expect(sharedTimes([times(3, 100, 0.5)])).toEqual({ x: Float64Array.of(0.5, 0.51, 0.52), from: [0] })
})

it('courses share their times from where the last of them begins', () => {
  const { x, from } = sharedTimes([times(40, 100, -0.14), times(30, 100, -0.1), times(40, 100, -0.11)])!
  expect(from).toEqual([4, 0, 1])
  expect(x.length).toBe(30)
  expect(x[0]).toBeCloseTo(-0.1, 12)
  expect(x[29]).toBeCloseTo(0.19, 12)
})

it.each([
  ['another rate', times(3, 50)],
  ['another beginning', times(3, 100, 0.004)],
  ['another beginning in between', times(3, 100, -0.005)],
  ['other times later', Float64Array.of(0, 0.01, 0.0201)],
  ['no times', times(0, 100)],
  ['none of the same times', times(3, 100, 1)],
])('courses with %s share none', (_, other) => {
  expect(sharedTimes([times(3, 100), other])).toBeNull()
})
