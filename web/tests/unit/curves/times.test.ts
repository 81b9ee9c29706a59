import { expect, it } from 'vitest'

import { sharedTimes } from '../../../src/curves/statistics'

const times = (n: number, rate: number, from = 0) => Float64Array.from({ length: n }, (_, i) => from + i / rate)

it('courses share their times as far as the shortest goes', () => {
  expect([...sharedTimes([times(3, 100), times(2, 100)])!]).toEqual([0, 0.01])
  expect([...sharedTimes([times(3, 100, 0.5)])!]).toEqual([0.5, 0.51, 0.52])
})

it.each([
  ['another rate', times(3, 50)],
  ['another beginning', times(3, 100, 0.004)],
  ['no times', times(0, 100)],
])('courses with %s share none', (_, other) => {
  expect(sharedTimes([times(3, 100), other])).toBeNull()
})
