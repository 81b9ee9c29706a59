import { Group } from 'three'
import { describe, expect, it } from 'vitest'

import { Cloud } from '../../../src/screens/capture/scene/cloud'
import { baseOf, extentOf, fromBase, matrixOf, stageOf, turn } from '../../../src/screens/capture/scene/frame'
import { findUp, ups, type Positions } from '../../../src/screens/capture/scene/up'
import { Player } from '../../../src/screens/capture/player'

/** Points that stand still, and one row. */
function still(points: Record<string, [number, number, number]>): Positions {
  return { labels: Object.keys(points), columns: Object.values(points).flatMap((p) => p.map((v) => Float32Array.of(v, v))), rows: [0, 1] }
}

describe('the axis that points upwards', () => {
  it('is what the file says', () => {
    expect(findUp('-y', 'c3d', still({ A: [0, 0, 0] }))).toBe('-y')
  })
  it('is where heads are above feet', () => {
    expect(findUp('', 'c3d', still({ Head: [0.1, 1.7, 0], LANK: [0, 0.1, 0] }))).toBe('+y')
    expect(findUp('', 'trc', still({ C7: [0.1, 0, -1.5], RTOE: [0, 0.1, 0] }))).toBe('-z')
  })
  it('is where everything lies above zero', () => {
    expect(findUp('', 'c3d', still({ M1: [-1, 0.001, -2], M2: [1, 1.8, 2] }))).toBe('+y')
    expect(findUp('', 'trc', still({ M1: [-1, -3, 0], M2: [1, 3, 1.8] }))).toBe('+z')
  })
  it('is the usual one of the format when nothing tells', () => {
    expect(findUp('', 'c3d', still({}))).toBe('+z')
    expect(findUp('', 'bvh', still({}))).toBe('+y')
  })
})

it.each(ups)('%s is turned upwards without mirroring', (up) => {
  const axis = { x: 0, y: 1, z: 2 }[up[1] as 'x' | 'y' | 'z']
  const unit = [0, 0, 0] as [number, number, number]
  unit[axis] = up[0] === '+' ? 1 : -1
  expect(turn(up, ...unit).map((v) => v + 0)).toEqual([0, 1, 0])
  const m = matrixOf(up)
  const det =
    m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) - m[4]! * (m[1]! * m[10]! - m[2]! * m[9]!) + m[8]! * (m[1]! * m[6]! - m[2]! * m[5]!)
  expect(det).toBe(1)
})

it('the stage stands on zero under who stands there, and below who does not', () => {
  const standing = extentOf(still({ A: [0, 0, 0.02], B: [0.5, 0.5, 1.8] }))
  expect(stageOf(standing, '+z')).toMatchObject({ floor: 0, cell: 1 })
  const high = extentOf(still({ A: [0, 0, 10], B: [0.5, 0.5, 11.8] }))
  expect(stageOf(high, '+z').floor).toBeCloseTo(10)
  const millimetres = extentOf(still({ A: [0, 0, 0], B: [500, 500, 1800] }))
  expect(stageOf(millimetres, '+z').cell).toBe(1000)
})

it('what is far from zero is drawn from a base nearby, so that a graphics card tells its millimetres apart', () => {
  const far = { labels: ['A', 'B'], columns: [691_607.8125, 5_334_760.0625, 0.5, 691_608.25, 5_334_760.126, 1.5].map((v) => Float64Array.of(v, v + 0.001)), rows: [0, 1] }
  const extent = extentOf(far)
  const base = baseOf(extent)
  expect(base[2]).toBe(0) // the height is not far
  expect(fromBase(extent, base).least.every((v) => Math.abs(v) < 10)).toBe(true)
  const cloud = new Cloud(new Group(), { count: 2, columns: far.columns, base, bones: [] }, extent.body, 0)
  cloud.show(1, 0)
  far.columns.forEach((c, i) => expect(cloud.positions[i]! + base[i % 3]!).toBeCloseTo(c[1]!, 6))
  expect(baseOf(extentOf(still({ A: [0, 0, 0], B: [5, 3, 2] })))).toEqual([0, 0, 0])
})

describe('the player', () => {
  const clock = { rows: 200, start: 0.5, rate: 100, time: null }

  it('goes by the clock, faster or slower, and round', () => {
    const p = new Player(clock)
    const rows: number[] = []
    p.onRow((row) => rows.push(row))
    p.play()
    p.advance(0.25)
    expect(p.row).toBe(25)
    p.setSpeed(0.1)
    p.advance(0.25)
    expect(p.row).toBe(27)
    p.setSpeed(2)
    p.advance(1)
    expect(p.playing).toBe(true)
    expect(p.row).toBe(27)
    expect(rows).toEqual([25, 27])
  })

  it('stops at the end when it is not to go round, and begins anew', () => {
    const p = new Player(clock)
    p.setLoop(false)
    p.play()
    p.advance(5)
    expect([p.row, p.playing]).toEqual([199, false])
    p.play()
    expect(p.row).toBe(0)
  })

  it('steps, and stays within', () => {
    const p = new Player(clock)
    p.play()
    p.step(1)
    expect([p.row, p.playing]).toEqual([1, false])
    p.step(-5)
    expect(p.row).toBe(0)
    p.seek(1e9)
    expect(p.row).toBe(199)
  })

  it('keeps every row to its time, also where they are uneven', () => {
    const even = new Player(clock)
    for (let row = 0; row < 200; row++) expect(even.rowAt(even.timeOf(row))).toBe(row)
    const uneven = new Player({ rows: 4, start: 0, rate: null, time: Float64Array.of(0, 0.1, 0.5, 0.6) })
    for (let row = 0; row < 4; row++) expect(uneven.rowAt(uneven.timeOf(row))).toBe(row)
    expect(uneven.rowAt(0.49)).toBe(1)
    uneven.seekTime(0.45)
    expect(uneven.row).toBe(2)
  })
})
