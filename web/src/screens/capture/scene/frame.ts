// How large what was recorded is, and where: what camera, grid and sizes follow from.

import type { Positions, Up } from './up'

export interface Extent {
  least: [number, number, number] // in the axes of the file
  most: [number, number, number]
  body: number // how large what moves is at a time: the usual diagonal of one frame
}

/** How far the last three in a thousand on either side may lie beyond the others, in bodies: hands at
 * the top of a jump are shown, a point that was mistaken for another far away is not. */
const reach = 0.6

/** The extent over the rows, without outliers. */
export function extentOf(p: Positions): Extent {
  const seen: number[][] = [[], [], []]
  const diagonals: number[] = []
  const points = p.labels.length
  for (let n = 0; n < p.rows.length; n++) {
    const row = p.rows[n]!
    const least = [Infinity, Infinity, Infinity]
    const most = [-Infinity, -Infinity, -Infinity]
    for (let i = 0; i < points; i++) {
      for (let a = 0; a < 3; a++) {
        const v = p.columns[3 * i + a]![row]!
        if (v - v !== 0) continue
        seen[a]!.push(v)
        if (v < least[a]!) least[a] = v
        if (v > most[a]!) most[a] = v
      }
    }
    const d = Math.hypot(most[0]! - least[0]!, most[1]! - least[1]!, most[2]! - least[2]!)
    if (d - d === 0) diagonals.push(d)
  }
  const at = (a: number, part: number) => {
    const all = seen[a]!
    return all.length === 0 ? 0 : all[Math.round((all.length - 1) * part)]!
  }
  for (const all of seen) all.sort((a, b) => a - b)
  diagonals.sort((a, b) => a - b)
  const body = diagonals[diagonals.length >> 1] ?? 0
  const low = (a: number) => Math.max(at(a, 0), at(a, 0.003) - reach * body)
  const high = (a: number) => Math.min(at(a, 1), at(a, 0.997) + reach * body)
  const least: Extent['least'] = [low(0), low(1), low(2)]
  const most: Extent['most'] = [high(0), high(1), high(2)]
  const whole = Math.hypot(most[0] - least[0], most[1] - least[1], most[2] - least[2])
  return { least, most, body: body > 0 ? body : whole > 0 ? whole : 1 }
}

/**
 * A place near everything, by axis, that the scene takes for its zero: a graphics card
 * has numbers of 32 bits, which would have places on the globe jump by decimetres. Where
 * everything is near zero already, zero stays.
 */
export function baseOf(e: Extent): [number, number, number] {
  const cell = 10 ** Math.ceil(Math.log10(e.body))
  return e.least.map((least, a) => {
    const middle = (least + e.most[a]!) / 2
    return Math.abs(middle) > 1000 * e.body ? Math.round(middle / cell) * cell : 0
  }) as [number, number, number]
}

/** An extent as it is from a base. */
export function fromBase(e: Extent, base: readonly number[]): Extent {
  const from = (v: number, a: number) => v - base[a]!
  return { least: e.least.map(from) as Extent['least'], most: e.most.map(from) as Extent['most'], body: e.body }
}

/** Turns a place of the file into the scene, where y points upwards. */
export function turn(up: Up, x: number, y: number, z: number): [number, number, number] {
  switch (up) {
    case '+z':
      return [x, z, -y]
    case '-z':
      return [x, -z, y]
    case '+x':
      return [-y, x, z]
    case '-x':
      return [y, -x, z]
    case '-y':
      return [x, -y, -z]
    default:
      return [x, y, z]
  }
}

/** The same turn as a matrix, column by column, as WebGL has it. */
export function matrixOf(up: Up): number[] {
  const [a, b, c] = [turn(up, 1, 0, 0), turn(up, 0, 1, 0), turn(up, 0, 0, 1)]
  return [...a, 0, ...b, 0, ...c, 0, 0, 0, 0, 1]
}

export interface Stage {
  centre: [number, number, number] // in the scene
  floor: number // height of the ground
  radius: number // of all that moves, about its centre
  cell: number // of the grid: a power of ten
}

/** The stage for an extent: a floor at zero where things stand about there, else below them. */
export function stageOf(e: Extent, up: Up): Stage {
  const a = turn(up, ...e.least)
  const b = turn(up, ...e.most)
  const least = a.map((v, i) => Math.min(v, b[i]!)) as Stage['centre']
  const most = a.map((v, i) => Math.max(v, b[i]!)) as Stage['centre']
  const height = Math.max(most[1] - least[1], 0.05 * e.body)
  const floor = Math.abs(least[1]) < 0.35 * height ? Math.min(0, least[1] < -0.02 * height ? least[1] : 0) : least[1]
  const centre: Stage['centre'] = [
    (least[0] + most[0]) / 2,
    (floor + Math.max(most[1], floor)) / 2,
    (least[2] + most[2]) / 2,
  ]
  const radius = Math.max(0.5 * Math.hypot(most[0] - least[0], most[1] - floor, most[2] - least[2]), 0.5 * e.body)
  return { centre, floor, radius, cell: 10 ** Math.floor(Math.log10(Math.max(e.body, 1e-6) * 1.2)) }
}
