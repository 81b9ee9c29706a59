import { describe, expect, test } from 'vitest'
import { nextEvent } from '../../../src/screens/capture/leap'
import { pairsOf, platformsOf } from '../../../src/screens/capture/platforms'
import { arrowAt } from '../../../src/screens/capture/scene/forces'
import type { Motion } from '../../../src/screens/capture/types'

const column = (...values: number[]) => Float64Array.from(values)

describe('the arrow of a force', () => {
  const columns = [column(0, NaN), column(-250, 0), column(500, 0), column(1, NaN), column(2, NaN), column(0, NaN)]

  test('begins at the centre of pressure and is a metre for 1,000 N', () => {
    expect(arrowAt(columns, 0, [0.5, 0, 0])).toEqual({ from: [0.5, 2, 0], to: [0.5, 1.75, 0.5] })
  })

  test('is nowhere without load, behind the end, and without a centre of pressure', () => {
    expect(arrowAt(columns, 1, [0, 0, 0])).toBeNull()
    expect(arrowAt(columns, 2, [0, 0, 0])).toBeNull()
    expect(arrowAt(columns.slice(0, 3), 0, [0, 0, 0])).toBeNull()
  })
})

test('each platform has its own centre of pressure', () => {
  const one = (name: string, kind: string) => ({ name, kind, unit: 'N', rate: 1000, per_frame: 10, columns: ['x', 'y', 'z'].map((a) => `${name}_${a}`) })
  const motion = { platform_channels: [one('plate1_force', 'force'), one('plate2_force_2', 'force'), one('plate2_cop', 'point'), one('plate1_cop', 'point'), one('plate1_moment', 'moment'), one('plate3_force', 'force')] } as unknown as Motion
  expect(pairsOf(motion).map((p) => [p[0], p[3]])).toEqual([['plate1_force_x', 'plate1_cop_x'], ['plate2_force_2_x', 'plate2_cop_x']])
  expect(platformsOf(motion).every((c) => c.platform && c.missing === null)).toBe(true)
})

test('the next and the previous event are the nearest ones that lie in the recording', () => {
  const events = [{ frame: 40 }, { frame: null }, { frame: 10 }, { frame: 25 }, { frame: 25 }]
  expect([nextEvent(events, 10, 1), nextEvent(events, 25, -1), nextEvent(events, 26, -1), nextEvent(events, 40, 1), nextEvent([], 3, 1)]).toEqual([25, 10, 25, null, null])
})
