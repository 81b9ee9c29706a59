import { describe, expect, test } from 'vitest'
import { kindsOf } from '../../src/screens/athletes/progress/kinds'
import { offersOf, seriesOf, tableOf, type Measured } from '../../src/screens/athletes/progress/series'
import { gridOf } from '../../src/ui/grid'
import { csvOf } from '../../src/ui/save'

type Value = Measured['metrics'][string]

const value = (more: Partial<Value>): Value => ({ value: null, text: null, unit: '', source: 'computed', method: null, version: null, withheld: null, message: null, ...more })

const capture = (id: string, time: string | null, metrics: Record<string, Value>): Measured =>
  ({ session_id: id, athlete_id: null, activity: 'jump', movement: 'squat', status: 'completed', error: null, capture_time: time, fps_detected: 100, library: 'x', metrics }) as Measured

const captures = [
  capture('a', '2026-01-01T00:00:00Z', { height: value({ value: 0.3, unit: 'm' }), side: value({ text: 'left' }) }),
  capture('b', '2026-01-02T00:00:00Z', { height: value({ withheld: 'no-landing', message: 'No landing, "none".' }), side: value({ text: 'right' }) }),
  capture('c', '2026-01-03T00:00:00Z', { height: value({ value: 31, unit: 'cm', source: 'file' }) }),
  capture('d', '2026-01-04T00:00:00Z', { height: value({ value: 0.31, unit: 'm' }) }),
  capture('e', null, { height: value({ value: 0.5, unit: 'm' }) }),
]

describe('the progress of a metric', () => {
  test('offers what there is, with the unit of most values', () => {
    expect(offersOf(captures, []).map((o) => [o.name, o.unit, o.values])).toEqual([['height', 'm', 4], ['side', '', 2]])
  })

  test('draws no value of another unit beside the others, none that was withheld, and none without a time', () => {
    const offer = offersOf(captures, [])[0]!
    const s = seriesOf(captures, offer)
    expect(s.dots.map((d) => [d.capture.session_id, d.y])).toEqual([['a', 0.3], ['d', 0.31]])
    expect([s.rows.length, s.untimed, s.otherUnits]).toEqual([5, 1, 1])
    expect(csvOf(tableOf(s, offer)).split('\r\n')[2]).toBe('b,2026-01-02T00:00:00Z,jump,squat,height,,,,computed,,,no-landing,"No landing, ""none""."')
  })

  test('has texts as steps', () => {
    const s = seriesOf(captures, offersOf(captures, [])[1]!)
    expect([s.steps, s.dots.map((d) => d.y)]).toEqual([['left', 'right'], [0, 1]])
  })

  test('has round numbers around all values, whatever their size', () => {
    for (const [low, high] of [[0.3, 0.31], [0, 0], [-5, 4000], [1e-7, 3e-7], [99.9, 100.1], [7, 7]] as const) {
      const grid = gridOf(low, high)
      expect(grid.length, `${low} ${high}`).toBeGreaterThanOrEqual(3)
      expect(grid.length, `${low} ${high}`).toBeLessThanOrEqual(8)
      expect(grid[0]!).toBeLessThanOrEqual(low + 1e-9 * Math.abs(low))
      expect(grid.at(-1)!).toBeGreaterThanOrEqual(high - 1e-9 * Math.abs(high))
    }
  })

  test('is asked for by movement, without regard to case', () => {
    const one = (activity: string | null, movement: string | null) => ({ activity, movement })
    const all = [one('Jump', 'Squat'), one(null, null), one('jump', 'squat'), one('lunge', 'side')]
    expect(kindsOf(all).map((k) => [k.activity, k.movement, k.captures])).toEqual([['Jump', 'Squat', 2], [null, null, 1], ['lunge', 'side', 1]])
  })
})
