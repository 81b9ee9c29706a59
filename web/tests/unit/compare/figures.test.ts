// Two figures in one frame of reference: where each point is, held against what numpy makes of the same frames.
import { describe, expect, test } from 'vitest'
import { Store } from '../../../src/screens/capture/data/store'
import { turn } from '../../../src/screens/capture/scene/frame'
import type { Up } from '../../../src/screens/capture/scene/up'
import type { Channel, Motion } from '../../../src/screens/capture/types'
import { addressOf, comparisonOf, numbered, type Hold } from '../../../src/screens/compare/address'
import { Posed } from '../../../src/screens/compare/figures/posed'
import { Rows, timelineOf } from '../../../src/screens/compare/figures/timeline'
import { agree, numpy, testOfNumpy } from '../../numpy'

type Spot = [x: number, y: number, z: number]

/** A body that faces +x with z upwards, its left at +y, in metres. */
const body: Record<string, Spot> = {
  LASI: [0.1, 0.13, 0.96], RASI: [0.1, -0.13, 0.96], LPSI: [-0.1, 0.05, 0.98], RPSI: [-0.1, -0.05, 0.98],
  LSHO: [0, 0.2, 1.4], RSHO: [0, -0.2, 1.4], LHEE: [-0.1, 0.1, 0.02], RHEE: [-0.1, -0.1, 0.02], LFHD: [0.1, 0.07, 1.64], RFHD: [0.1, -0.07, 1.64],
}
const names = Object.keys(body)

interface Made {
  angle?: number // which way it goes, from +x
  up?: Up
  rate?: number
  frames?: number
  start?: number
  gap?: { name: string; from: number; to: number }
  at?: Spot
  only?: string[]
}

/** made is a recording of somebody who walks 1 m/s from a place. */
function made({ angle = 0, up = '+z', rate = 100, frames = 101, start = 0, gap, at = [0, 0, 0], only = names }: Made) {
  const axes = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as Spot[]).map((a) => turn(up, ...a))
  const points = only.map((name) => ({ name, kind: 'point', subject: null, unit: '', columns: ['x', 'y', 'z'].map((a) => `${name}_${a}`) }) as unknown as Channel)
  const motion = { frames, rate, start, even: true, metres: 1, up, format: 'c3d', channels: points, bones: [] } as unknown as Motion
  const store = new Store(points.flatMap((p) => p.columns), frames, 1)
  const columns = store.names.map(() => new Float64Array(frames))
  for (let f = 0; f < frames; f++) {
    only.forEach((name, i) => {
      const [x, y, z] = body[name]!
      const forward = x + f / rate
      const spot = turn('+z', at[0] + forward * Math.cos(angle) - y * Math.sin(angle), at[1] + forward * Math.sin(angle) + y * Math.cos(angle), at[2] + z)
      const out = gap?.name === name && f >= gap.from && f < gap.to
      axes.forEach((a, c) => (columns[3 * i + c]![f] = out ? NaN : (a[0] * spot[0] + a[1] * spot[1] + a[2] * spot[2])))
    })
  }
  const time = Float64Array.from({ length: frames }, (_, f) => start + f / rate)
  store.add({ names: store.names, from: 0, every: 1, rows: frames, time, columns } as never)
  return { name: 'made', motion, points, store, bones: [], rows: new Rows({ rows: frames, start, rate, time: null }) }
}

const live = (p: Posed) => p.live.map((c) => c[0]!)

describe('two figures', () => {
  testOfNumpy('have the pelvis at zero and face the same way at the moment, whatever the axes and the way of each, as numpy has it', () => {
    const all: [Made, number][] = [[{ angle: 0.4 }, 0.3], [{ angle: 2.5, up: '+y', at: [3, -2, 0] }, 0.5], [{ angle: -1.2, up: '-x', rate: 60, start: 5, at: [0, 7, 0] }, 5.4]]
    for (const hold of ['moment', 'always'] as const) {
      for (const [how, moment] of all) {
        const source = made(how)
        const posed = new Posed(source, moment, hold)
        const row = source.rows.at(moment + 0.2)
        posed.show(moment + 0.2)
        expect(posed.lacking).toEqual([])
        const found = numpy<number[]>(`
c = {n: np.array(v) for n, v in given['columns'].items()}
names = given['names']
p = np.array([[c[n + '_' + a] for a in 'xyz'] for n in names]) # point, axis, frame
up = given['up']; k = 'xyz'.index(up[1]); s = -1 if up[0] == '-' else 1
of = lambda n: p[names.index(n)]
left = sum(of('L' + n) - of('R' + n) for n in ('ASI', 'PSI', 'SHO')).mean(axis=1)
vertical = np.zeros(3); vertical[k] = s
left -= vertical * left.dot(vertical)
left /= np.linalg.norm(left)
front = np.cross(left, vertical)
pelvis = np.mean([of(n) for n in ('LASI', 'RASI', 'LPSI', 'RPSI')], axis=0)[:, given['at' if given['hold'] == 'always' else 'moment']]
now = p[:, :, given['at']]
found = np.stack([(now - pelvis) @ left, now @ vertical, (now - pelvis) @ front], axis=1).ravel()`, {
          columns: Object.fromEntries(source.store.names.map((n, i) => [n, Array.from(source.store.columns[i]!)])), names, up: how.up ?? '+z', hold, at: row, moment: source.rows.at(moment),
        })
        agree(live(posed), found, `${how.up} ${hold}`)
      }
    }
  })

  test('are each turned to +z: the left of somebody who faces us is at our right', () => {
    const posed = new Posed(made({ angle: 1 }), 0.5, 'moment')
    posed.show(0.5)
    const at = (name: string) => live(posed).slice(3 * names.indexOf(name), 3 * names.indexOf(name) + 3)
    expect(at('LSHO')[0]! - at('RSHO')[0]!).toBeCloseTo(0.4, 9)
    expect(at('LFHD')[2]).toBeCloseTo(0.1, 9)
    expect(at('LHEE')[1]).toBeCloseTo(0.02, 9)
    expect(posed.pelvis.map((v) => Math.round(v * 1e9) / 1e9 + 0)).toEqual([0, 0.97, 0])
  })

  test('are nowhere before their first frame and after their last one', () => {
    const posed = new Posed(made({ start: 2 }), 2, 'moment')
    for (const [time, row] of [[1.994, -1], [1.996, 0], [3, 100], [3.004, 100], [3.006, -1], [9, -1]] as const) {
      posed.show(time)
      expect(posed.row, String(time)).toBe(row)
      expect(Number.isNaN(posed.live[0]![0])).toBe(row < 0)
      expect(Number.isNaN(posed.pelvis[0])).toBe(row < 0)
    }
  })

  test('take the pelvis from beside a gap, and say where there is none to take', () => {
    const beside = new Posed(made({ gap: { name: 'LASI', from: 40, to: 60 } }), 0.45, 'moment')
    beside.show(0.39)
    expect(beside.lacking).toEqual([])
    expect(beside.pelvis.map((v) => Math.round(v * 1e9) / 1e9 + 0)).toEqual([0, 0.97, 0])
    const long = new Posed(made({ gap: { name: 'LASI', from: 10, to: 90 }, at: [4, 0, 0] }), 0.5, 'always')
    expect(long.lacking.join()).toContain('the pelvis is not seen at that moment')
    long.show(0)
    expect(live(long)[3 * names.indexOf('LSHO')]).toBeCloseTo(4, 9) // where it was recorded
    // Held at the pelvis, it is not shown where that has been away for longer than it takes to look beside.
    const held = new Posed(made({ gap: { name: 'LASI', from: 10, to: 90 } }), 0.05, 'always')
    held.show(0.2)
    expect(held.row).toBe(20)
    expect(live(held)[3 * names.indexOf('LSHO')]).not.toBeNaN()
    held.show(0.5)
    expect(live(held)[3 * names.indexOf('LSHO')]).toBeNaN()
    const nobody = new Posed(made({ only: ['LSHO', 'RSHO', 'LHEE'] }), 0.5, 'moment')
    expect(nobody.lacking.join()).toContain('no point of a pelvis has a name that is known')
    const nowhere = new Posed(made({ only: ['LASI', 'LPSI'] }), 0.5, 'moment')
    expect(nowhere.lacking).toEqual([])
    expect(new Posed({ ...made({ only: ['LASI'] }) }, 0.5, 'moment').lacking.join()).toContain('is not known: it is not turned')
  })

  test('stay where they were recorded when that is asked for', () => {
    const posed = new Posed(made({ angle: 2, at: [3, 1, 0] }), 0.5, 'recorded' satisfies Hold)
    posed.show(0)
    const spot = turn('+z', 3 - 0.2 * Math.sin(2), 1 + 0.2 * Math.cos(2), 1.4)
    live(posed).slice(3 * names.indexOf('LSHO'), 3 * names.indexOf('LSHO') + 3).forEach((v, a) => expect(v).toBeCloseTo(spot[a]!, 9))
  })

  test('have one clock: from the first frame of any to the last one, and a frame at the moment', () => {
    const rows = [new Rows({ rows: 101, start: 0, rate: 100, time: null }), new Rows({ rows: 31, start: 10, rate: 60, time: null })]
    const clock = timelineOf(rows, [0.25, 10.1])
    expect(clock).toEqual({ rows: 101, start: -0.25, rate: 100, time: null })
    const late = timelineOf(rows, [0.9, 10])
    expect([late.rows, late.start]).toEqual([141, -0.9])
    // Uneven: what its frames have on the average.
    expect(new Rows({ rows: 4, start: 0, rate: null, time: Float64Array.of(1, 1.1, 1.5, 1.9) })).toMatchObject({ first: 1, last: 1.9 })
    expect(new Rows({ rows: 4, start: 0, rate: null, time: Float64Array.of(1, 1.1, 1.5, 1.9) }).at(1.32)).toBe(2)
  })

  test('stand in the address by the places of their captures, and go with one of them', () => {
    const text = 'capture=a&capture=b&capture=c&figures=2.0&figures_at=L+Foot+Strike&figures_lay=side&figures_hold=always'
    const c = comparisonOf(new URLSearchParams(text))
    expect(c.figures).toEqual({ pair: ['c', 'a'], at: 'L Foot Strike', lay: 'side', hold: 'always' })
    expect(addressOf(c)).toBe(`/compare?${text}`)
    expect(addressOf(numbered(c))).toBe(`/compare?${text.replace('=a', '=1').replace('=b', '=2').replace('=c&', '=3&')}`)
    expect(comparisonOf(new URLSearchParams(addressOf({ ...c, captures: ['a', 'b'] }).slice(9))).figures).toBe(null)
    for (const bad of ['0.0', '0.9', '1', 'x.y', '']) expect(comparisonOf(new URLSearchParams(`capture=a&capture=b&figures=${bad}`)).figures, bad).toBe(null)
  })
})
