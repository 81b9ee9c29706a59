import { describe, expect, test } from 'vitest'
import { linesMost, marksOf, placeNames } from '../../../src/screens/capture/plots/events'
import { pinched, scaled, within, type Range } from '../../../src/screens/capture/plots/range'
import { ticks } from '../../../src/screens/capture/plots/ticks'
import type { MotionEvent } from '../../../src/screens/capture/types'

const event = (time: number, label: string, context = 'general'): MotionEvent => ({ time, label, context, frame: 0, subject: "", description: '' })
const measure = (text: string) => 6 * text.length

describe('names of events', () => {
  test('say the side by their context or by themselves', () => {
    const marks = marksOf([event(3, 'Foot Strike', 'Left'), event(1, 'right toe off'), event(2, 'Ball release'), event(4, 'Foot Off', 'right'), event(5, '', 'left'), event(6, 'Cue', 'Examiner')])
    expect(marks.map((m) => [m.side, m.label, m.short])).toEqual([
      ['right', 'right toe off', 'RTO'], ['middle', 'Ball release', 'BR'], ['left', 'L Foot Strike', 'L FS'], ['right', 'R Foot Off', 'R FO'], ['left', 'L Event', 'L E'], ['middle', 'Examiner Cue', 'Examiner C'],
    ])
  })

  test('are all placed where twelve of a walk stand, on a desk in full and on a phone at least in short', () => {
    const steps = Array.from({ length: 12 }, (_, i) => event(i / 4, i % 4 < 2 ? 'Foot Strike' : 'Foot Off', i % 2 ? 'left' : 'right'))
    const marks = marksOf(steps)
    for (const width of [290, 560, 900]) {
      const placed = placeNames(marks, marks.map((m) => (m.time / 2.75) * width), width, measure)
      expect(placed.filter((p) => p !== null)).toHaveLength(12)
      if (width > 500) expect(placed[0]!.text).toBe('R Foot Strike')
    }
  })

  test('never lie over each other, never leave the plot, and take no more lines than there may be', () => {
    let seed = 7
    const random = () => {
      seed = (seed * 48271) % 2147483647
      return seed / 2147483647
    }
    for (let round = 0; round < 300; round++) {
      const width = 200 + Math.floor(700 * random())
      const marks = marksOf(Array.from({ length: 1 + Math.floor(40 * random()) }, () => event(random(), 'Foot Strike Off'.slice(0, 2 + Math.floor(12 * random())), random() < 0.5 ? 'left' : 'right')))
      const placed = placeNames(marks, marks.map((m) => m.time * width), width, measure)
      const seen = placed.filter((p) => p !== null)
      expect(seen.length).toBeGreaterThan(0)
      for (const [i, p] of seen.entries()) {
        expect(p.line).toBeLessThan(linesMost)
        expect(p.x).toBeGreaterThanOrEqual(0)
        expect(p.x + measure(p.text)).toBeLessThanOrEqual(width)
        for (const q of seen.slice(i + 1)) if (q.line === p.line) expect(Math.max(p.x, q.x)).toBeGreaterThanOrEqual(Math.min(p.x + measure(p.text), q.x + measure(q.text)))
      }
    }
  })
})

describe('a stretch of time', () => {
  const whole: Range = [2, 12]

  test('stays within everything, and is never empty', () => {
    expect(within([0, 5], whole)).toEqual([2, 7])
    expect(within([10, 15], whole)).toEqual([7, 12])
    expect(within([-5, 50], whole)).toBe(whole)
    const [from, to] = within([5, 5], whole)
    expect(to - from).toBeCloseTo(1e-3, 6)
  })

  test('is halved and doubled about the time that is shown, which keeps its place', () => {
    expect(scaled(whole, whole, 0.5, 4)).toEqual([3, 8])
    expect(scaled([3, 8], whole, 2, 4)).toEqual(whole)
    expect(scaled([3, 5], whole, 0.5, 11)).toEqual([3.5, 4.5]) // it is not seen: about the middle
  })

  test('follows two fingers: each time stays under its own', () => {
    const times: Range = [4, 6]
    for (const places of [[0.2, 0.8], [0.4, 0.5], [0.1, 0.6]] as Range[]) {
      const [from, to] = pinched(times, places, [-100, 100])
      places.forEach((p, i) => expect(from + p * (to - from)).toBeCloseTo(times[i]!, 6))
    }
    expect(pinched(times, [0.8, 0.2], whole)).toEqual([4, 6]) // fingers that have passed each other
  })
})

describe('numbers beside the grid', () => {
  test('are short where they are near zero or steps are large', () => {
    expect(ticks([0, 0.1, 0.2, 0.30000000000000004])).toEqual(['0', '0.1', '0.2', '0.3'])
    expect(ticks([0, 200_000, 400_000])).toEqual(['0', '2.0e+5', '4.0e+5'])
    expect(ticks([])).toEqual([])
  })

  test('of clocks and places on the globe differ from their neighbours', () => {
    for (const [from, step] of [[1_778_664_600_100, 20], [1_778_664_600.1, 0.02], [48.1374321, 0.0000002], [-11.5812345, 0.0000005], [5_334_760, 0.05], [16_777_217, 1]] as const) {
      const all = ticks(Array.from({ length: 6 }, (_, i) => from + i * step))
      expect(new Set(all).size).toBe(6)
      all.forEach((text, i) => expect(Math.abs(Number(text) - from - i * step)).toBeLessThanOrEqual(0.51 * step))
    }
  })
})
