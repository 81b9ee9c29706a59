import { describe, expect, test } from 'vitest'
import { angles, distances, leans, type Course3 } from '../../../src/curves/measure'
import { decimal } from '../../../src/screens/capture/data/decimal'
import { channelOf, measureName, measureOf, measureText, type Measure } from '../../../src/screens/capture/measure/measure'
import type { Motion } from '../../../src/screens/capture/types'
import { agree, numpy, testOfNumpy } from '../../numpy'

const n = 400
const point = (seed: number): Course3 => [0, 1, 2].map((a) => Float64Array.from({ length: n }, (_, i) => (seed === 2 && i % 50 === 7 ? NaN : Math.sin(i / 9 + seed) * (a + 1) + seed * a))) as unknown as Course3
const [a, b, c] = [point(1), point(2), point(3)]
const sent = (p: Course3) => p.map((v) => Array.from(v, (x) => (Number.isNaN(x) ? null : x)))

describe('what is measured between points', () => {
  testOfNumpy('is what numpy finds, and missing where a point is', () => {
    const found = numpy<(number | null)[][]>(
      `
a, b, c = (np.array([column(v) for v in p]).T for p in given)
def angle(u, v): return np.degrees(np.arccos((u * v).sum(1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)))
found = [np.linalg.norm(a - b, axis=1), angle(a - b, c - b), angle(b - a, np.array([[0, -1.0, 0]]))]`,
      [a, b, c].map(sent),
    )
    agree(distances(a, b), found[0]!, 'distance')
    agree(angles(a, b, c), found[1]!, 'angle')
    agree(leans(a, b, [0, -1, 0]), found[2]!, 'lean')
    expect(found.every((f) => f.filter((v) => v === null).length === 8)).toBe(true)
  })

  test('has the right angle, a straight one and none of points in one place', () => {
    const at = (x: number, y: number, z: number): Course3 => [[x], [y], [z]]
    expect(angles(at(1, 0, 0), at(0, 0, 0), at(0, 5, 0))[0]).toBe(90)
    expect(angles(at(1, 0, 0), at(0, 0, 0), at(-3, 0, 0))[0]).toBe(180)
    expect(angles(at(1, 1, 1), at(0, 0, 0), at(2, 2, 2))[0]).toBe(0)
    expect(angles(at(1, 1, 1), at(1, 1, 1), at(2, 2, 2))[0]).toBeNaN()
    expect(leans(at(0, 0, 0), at(0, 0, -2), [0, 0, 1])[0]).toBe(180)
  })

  test('comes out of an address as it went in, whatever points are called', () => {
    const points = new Set(['L/KNE', 'a,b', '%', 'R KNE', 'É'])
    const all: Measure[] = [{ kind: 'distance', points: ['L/KNE', '%'] }, { kind: 'angle', points: ['a,b', 'É', 'R KNE'] }, { kind: 'lean', points: ['%', 'L/KNE'], up: '-y' }]
    for (const m of all) expect(measureOf(measureText(m), points)).toEqual(m)
    for (const text of ['', 'distance', 'distance/%25', 'distance/%25/%25', 'distance/%25/Nobody', 'angle/%25/a%2Cb', 'lean/%25/a%2Cb', 'lean/up/%25/a%2Cb', 'distance/%/a%2Cb', 'turn/%25/a%2Cb']) expect(measureOf(text, points), text).toBeNull()
    expect(all.map(measureName)).toEqual(['Distance L/KNE – %', 'Angle a,b – É – R KNE', '% → L/KNE to the vertical -Y'])
    expect([1, 0].map((metres) => channelOf(all[0]!, { metres, rate: 100 } as Motion).unit)).toEqual(['m', ''])
  })
})

describe('a number of 32 bits', () => {
  testOfNumpy('is the decimal that is shortest, as numpy writes it', () => {
    const values = Float32Array.from({ length: 5000 }, (_, i) => Math.fround(Math.sin(i * 1.7) * 10 ** ((i % 14) - 6)))
    const found = numpy<number[]>(`found = [float(str(np.float32(v))) for v in given]`, [...values])
    expect([...values].map(decimal)).toEqual(found)
    expect([NaN, Infinity].map(decimal)).toEqual([NaN, Infinity])
  })
})
