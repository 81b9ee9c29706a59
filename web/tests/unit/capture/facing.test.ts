import { describe, expect, test } from 'vitest'
import { Facing, type Named } from '../../../src/screens/capture/scene/facing'
import { turn } from '../../../src/screens/capture/scene/frame'
import { pelvisOf } from '../../../src/screens/capture/scene/pelvis'
import { axisOf, wayOf } from '../../../src/screens/capture/scene/looks'
import { ups, type Up } from '../../../src/screens/capture/scene/up'

type Spot = [x: number, y: number, z: number]

/** Sets of names, each point where it is on a body that faces along x with z upwards: y is its left. */
const sets: Record<string, Record<string, Spot>> = {
  'Plug-in Gait': { LASI: [0.1, 0.13, 0.96], RASI: [0.1, -0.13, 0.96], LPSI: [-0.1, 0.05, 0.98], RPSI: [-0.1, -0.05, 0.98], LKNE: [0.3, 0.1, 0.5], RKNE: [-0.2, -0.1, 0.5] },
  'shoulders alone': { LSHO: [0, 0.2, 1.4], RSHO: [0, -0.2, 1.4] },
  'a skeleton': { Hips: [0, 0, 0.9], LeftUpLeg: [0, 0.1, 0.9], RightUpLeg: [0, -0.1, 0.9], LeftFoot: [0.1, 0.1, 0.1], RightFoot: [0, -0.1, 0.1] },
  'words with a line': { left_hip: [0, 0.1, 0.9], right_hip: [0, -0.1, 0.9], nose: [0.1, 0, 1.6] },
  'another laboratory': { 'L.ASIS': [0.1, 0.13, 0.96], 'R.ASIS': [0.1, -0.13, 0.96], 'V.Sacral': [-0.1, 0, 1] },
  'feet that stride': { LHIP: [0, 0.1, 0.9], RHIP: [0, -0.1, 0.9], LANK: [0.5, 0.1, 0.1], RANK: [-0.5, -0.1, 0.1] },
}

/** scene makes a recording of one row out of spots of the laboratory. */
function scene(points: (Named & { at: Spot })[]): Facing {
  return new Facing(points, points.flatMap((p) => p.at.map((v) => Float32Array.of(v))), [0])
}

/** around turns a spot about the upright axis, and moves it. */
function around([x, y, z]: Spot, angle: number): Spot {
  return [x * Math.cos(angle) - y * Math.sin(angle) + 3, x * Math.sin(angle) + y * Math.cos(angle) - 2, z]
}

/** written gives a spot with z upwards as a file with another axis upwards has it: the inverse of what the scene does. */
function written(spot: Spot, up: Up): Spot {
  const [x, y, z] = turn('+z', ...spot) // in the scene
  const axes = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as Spot[]).map((a) => turn(up, ...a))
  return axes.map((a) => a[0] * x + a[1] * y + a[2] * z) as Spot
}

describe('the facing of a subject', () => {
  for (const [name, spots] of Object.entries(sets)) {
    test(`is found with ${name}, whichever way it stands and whichever axis points upwards`, () => {
      for (const up of ups) {
        for (let angle = 0; angle < 6; angle += 0.7) {
          const found = scene(Object.entries(spots).map(([label, at]) => ({ label, subject: null, at: written(around(at, angle), up) }))).at(up, 0)
          const ahead = turn('+z', Math.cos(angle), Math.sin(angle), 0)
          expect(found, `${up} ${angle}`).not.toBe(null)
          expect(found![0]).toBeCloseTo(ahead[0], 1)
          expect(found![1]).toBeCloseTo(ahead[2], 1)
        }
      }
    })
  }

  test('is right in mirrored axes where something says what lies in front', () => {
    const spots = Object.entries(sets['Plug-in Gait']!).map(([label, [x, y, z]]) => ({ label, subject: null, at: [x, -y, z] as Spot }))
    expect(scene(spots).at('+z', 0)![0]).toBeCloseTo(1, 1)
  })

  test('is not known without sides, nor of somebody who lies on a side, nor where nothing was seen', () => {
    const at = (spots: Record<string, Spot>) => scene(Object.entries(spots).map(([label, spot]) => ({ label, subject: null, at: spot }))).at('+z', 0)
    expect(at({ M1: [0, 0, 0], M2: [1, 0, 0], Plate: [0, 1, 0] })).toBe(null)
    expect(at({ LASI: [0, 0, 1.3], RASI: [0, 0.01, 1] })).toBe(null)
    expect(at({ LASI: [NaN, NaN, NaN], RASI: [0, 0, 1] })).toBe(null)
  })

  test('is the usual one where a row does not tell, and that of the row where it does', () => {
    const points: Named[] = [{ label: 'LASI', subject: null }, { label: 'RASI', subject: null }]
    // The pelvis turns by a quarter after the second row, and is not seen in the third.
    const columns = [[0, 0, NaN, 0], [0.1, 0.1, NaN, 0], [1, 1, NaN, 1], [0, 0, NaN, 0.2], [-0.1, -0.1, NaN, 0], [1, 1, NaN, 1]].map((c) => Float32Array.from(c))
    const facing = new Facing(points, columns, [0, 1, 2])
    expect(facing.at('+z', 0)).toEqual([1, expect.closeTo(0, 5)])
    expect(facing.at('+z', 2)).toEqual(facing.at('+z', 0))
    expect(facing.at('+z', 3)).not.toEqual(facing.at('+z', 0))
  })

  test('is that of the subject whose point is chosen', () => {
    const both = ['Ann', 'Bob'].flatMap((subject, i) => Object.entries(sets['Plug-in Gait']!).map(([label, at]) => ({ label, subject, at: around(at, i * Math.PI) })))
    const facing = scene(both)
    const of = (subject: string) => facing.at('+z', 0, both.findIndex((p) => p.subject === subject))![0]
    expect(of('Ann')).toBeCloseTo(1, 1)
    expect(of('Bob')).toBeCloseTo(-1, 1)
    expect(facing.at('+z', 0)![0]).toBeCloseTo(1, 1) // of nobody in particular: the first
  })
})

describe('the camera', () => {
  test('stands before the face for Front and on the right of the body for Right, and opposite for the others', () => {
    expect(wayOf('front', [1, 0])).toEqual([1, 0.08, 0])
    expect(wayOf('right', [0, 1])).toEqual([-1, 0.08, 0]) // who faces the camera has the right hand at its left
    expect(wayOf('front', null)).toEqual([0, 0.08, 1])
    expect(wayOf('right', null)).toEqual([1, 0.08, 0])
    for (const heading of [[0.6, 0.8], null] as const) {
      for (const [one, other] of [['front', 'back'], ['left', 'right']] as const) {
        const [a, b] = [wayOf(one, heading && [...heading]), wayOf(other, heading && [...heading])]
        expect([a[0] + b[0], a[2] + b[2]]).toEqual([0, 0])
      }
    }
  })

  test('follows the pelvis of the subject whose point is chosen, or of the first who has one', () => {
    const points: Named[] = [['C7', 'Ann'], ['LASI', 'Ann'], ['RPSI', 'Ann'], ['KNEE', 'Bob'], ['Bob:Pelvis', 'Bob'], ['Hips', 'Bob'], ['HEAD', 'Cid']].map(([label, subject]) => ({ label: label!, subject: subject! }))
    expect([-1, 0, 3, 6].map((chosen) => pelvisOf(points, chosen))).toEqual([[1, 2], [1, 2], [4, 5], [1, 2]])
    expect(pelvisOf(points.filter((p) => p.subject === 'Cid'), 0)).toEqual([])
  })

  test('names the axes of the laboratory from which it looks when no facing is known', () => {
    expect(ups.map((up) => [up, axisOf(up, [0, 1]), axisOf(up, [1, 0])])).toEqual([
      ['+z', '−Y', '+X'], ['+y', '+Z', '+X'], ['+x', '+Z', '−Y'], ['-z', '+Y', '+X'], ['-y', '−Z', '+X'], ['-x', '+Z', '+Y'],
    ])
  })
})
