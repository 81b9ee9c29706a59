// Smoothing and slope: the numbers of the program's own filter, and those of a script in numpy that shares no line with it.
import { describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { derive, slopes, smoothed } from '../../../src/curves/derive'
import { cutoffOf, derivedName, derivedUnit } from '../../../src/curves/derived'
import { extrasOf } from '../../../src/screens/capture/plots/derived'
import type { Channel, Motion } from '../../../src/screens/capture/types'
import { agree, filterOfNumpy, numpy, testOfNumpy } from '../../numpy'

type Gaps = (number | null)[]
const held = JSON.parse(readFileSync(new URL('smoothed.json', import.meta.url), 'utf8')) as { cutoff: number; rate: number; values: Gaps; smoothed: Gaps }[]
const numbers = (v: Gaps) => Float64Array.from(v, (x) => x ?? NaN)

describe('the low-pass', () => {
  test('has the numbers of the filter of computed metrics, gaps included', () => {
    expect(held.length).toBeGreaterThan(2)
    for (const h of held) agree(smoothed(numbers(h.values), h.cutoff, h.rate), h.smoothed, `${h.cutoff} Hz`)
    expect(held.some((h) => h.values.includes(null))).toBe(true)
  })

  testOfNumpy('has those of a Butterworth filter that is designed by its poles and run by its impulse response', () => {
    for (const h of held) agree(smoothed(numbers(h.values), h.cutoff, h.rate), numpy<Gaps>(`${filterOfNumpy}\nfound = low(column(given['values']), given['cutoff'], given['rate'])`, h), `${h.cutoff} Hz`)
  })

  test('leaves what never changes and stretches that are too short as they are', () => {
    agree(smoothed(new Float64Array(60).fill(3.7), 6, 100), Array.from({ length: 60 }, () => 3.7))
    const short = numbers([...Array.from({ length: 15 }, (_, i) => (i * 7919) % 13), null, ...Array.from({ length: 15 }, (_, i) => (i * 104729) % 17)])
    expect([...smoothed(short, 6, 100)]).toEqual([...short])
  })
})

describe('the slope', () => {
  test('is the difference of both neighbours by the second, and missing beside gaps and ends', () => {
    expect([...slopes([0, 1, 4, NaN, 5, 6, 9, 9], [], 10)]).toEqual([NaN, 20, NaN, NaN, NaN, 20, 15, NaN])
    expect([...slopes([0, 1, 4, 9], [0, 0.5, 1, 3], null)]).toEqual([NaN, 4, 3.2, NaN])
    expect([...slopes([0, 1, 4, 9], [0, 0.5, 0, 0.5], null)]).toEqual([NaN, NaN, NaN, NaN])
  })
})

describe('what is derived', () => {
  const of = (more: object) => ({ time: [0, 1], values: new Float64Array(40), unit: 'm', rate: 100, ...more })
  test('is refused where it would be wrong', () => {
    expect(derive(of({ rate: null }), { cutoff: 6, slope: false })).toContain('not evenly spaced')
    expect(derive(of({ rate: 29 }), { cutoff: 6, slope: false })).toBe('has 29 samples a second: a low-pass at 6 Hz needs at least 30')
    expect(derive(of({ rate: 30 }), { cutoff: 6, slope: false })).toHaveLength(40)
    const turned = { values: [170, 179, -179, -170], unit: 'deg' }
    expect(derive(of(turned), { cutoff: null, slope: true })).toContain('jumps by a whole turn')
    expect(derive(of({ ...turned, unit: 'mm' }), { cutoff: null, slope: true })).toHaveLength(4)
    expect(derive(of(turned), { cutoff: null, slope: false })).toEqual(Float64Array.of(170, 179, -179, -170))
  })

  test('is named after what was done, with the unit by the second', () => {
    expect(derivedName('LKNE_x', { cutoff: 6, slope: true })).toBe('Slope of LKNE_x, smoothed at 6 Hz')
    expect(derivedName('LKNE_x', { cutoff: null, slope: true })).toBe('Slope of LKNE_x')
    expect([derivedUnit('m', { cutoff: null, slope: true }), derivedUnit('', { cutoff: null, slope: true }), derivedUnit('deg', { cutoff: 6, slope: false })]).toEqual(['m/s', '', 'deg'])
    expect(['6', '0', '-1', '', 'x', '1e9', null].map(cutoffOf)).toEqual([6, null, null, null, null, null, null])
  })

  test('is read of an address, also of a measure, and nothing that is not there', () => {
    const point = (name: string) => ({ name, kind: 'point', unit: 'm', columns: ['x', 'y', 'z'].map((a) => `${name}_${a}`), per_frame: 1, bits: 64 }) as unknown as Channel
    const channels = [point('A/B'), point('C'), { ...point('Q'), kind: 'rotation' } as Channel]
    const motion = { channels, metres: 1, rate: 100 } as unknown as Motion
    const found = extrasOf(['distance/A%2FB/C'], ['smooth-6/A%2FB', 'smooth-2.5-slope/C', 'slope/Distance%20A%2FB%20%E2%80%93%20C', 'slope/Q', 'slope/nobody', '/C', 'smooth-0/C', 'smooth-/C', 'slope/%'], channels, motion)
    expect(found.map((f) => [f.param, f.channel.name, f.channel.unit])).toEqual([
      ['measure', 'Distance A/B – C', 'm'], ['derived', 'A/B, smoothed at 6 Hz', 'm'], ['derived', 'Slope of C, smoothed at 2.5 Hz', 'm/s'], ['derived', 'Slope of Distance A/B – C', 'm/s'],
    ])
    expect(found[1]!.channel.columns).toEqual(['A/B_x, smoothed at 6 Hz', 'A/B_y, smoothed at 6 Hz', 'A/B_z, smoothed at 6 Hz'])
    expect(found[1]!.channel.bits).toBe(undefined)
  })
})
