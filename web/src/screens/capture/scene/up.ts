// Which axis points upwards.

import type { Numbers } from '../data/binary'
import { place } from '../skeleton/names'

export type Up = '+x' | '-x' | '+y' | '-y' | '+z' | '-z'

export const ups: Up[] = ['+z', '+y', '+x', '-z', '-y', '-x']

/** Positions of points: three columns each, and the row to look at. */
export interface Positions {
  labels: string[]
  columns: Numbers[] // x, y, z of the first point, then of the next
  rows: readonly number[] // those to look at
}

const high = new Set(['head', 'headfront', 'headback', 'headtop', 'neck', 'c7', 'shoulder', 'clavicle', 'nose'])
const low = new Set(['ankle', 'heel', 'toe', 'mt5', 'mt1', 'foot', 'toeend', 'leg'])
const axes = ['x', 'y', 'z'] as const

/**
 * The axis that points upwards: as the file says; else the one along which heads lie
 * above feet; else the one along which everything lies above zero, as a floor does.
 */
export function findUp(told: string, format: string, p: Positions): Up {
  if ((ups as string[]).includes(told)) return told as Up
  const sum = { high: [0, 0, 0], low: [0, 0, 0] }
  const count = { high: 0, low: 0 }
  const least = [Infinity, Infinity, Infinity]
  const most = [-Infinity, -Infinity, -Infinity]
  p.labels.forEach((label, i) => {
    const part = place(label).part
    const where = high.has(part) ? 'high' : low.has(part) ? 'low' : null
    for (let n = 0; n < p.rows.length; n++) {
      const row = p.rows[n]!
      if (Number.isNaN(p.columns[3 * i]![row])) continue
      for (let a = 0; a < 3; a++) {
        const v = p.columns[3 * i + a]![row]!
        least[a] = Math.min(least[a]!, v)
        most[a] = Math.max(most[a]!, v)
        if (where) sum[where][a]! += v
      }
      if (where) count[where]++
    }
  })
  if (count.high > 0 && count.low > 0) {
    const way = axes.map((_, a) => sum.high[a]! / count.high - sum.low[a]! / count.low)
    const length = Math.hypot(...way)
    const best = way.reduce((b, v, a) => (Math.abs(v) > Math.abs(way[b]!) ? a : b), 0)
    if (length > 0 && Math.abs(way[best]!) > 0.7 * length) return `${way[best]! > 0 ? '+' : '-'}${axes[best]!}` as Up
  }
  const usual = format === 'bvh' || format === 'trc' ? 1 : 2
  const other = 3 - usual
  const floor = (a: number) => (most[a]! > least[a]! ? Math.abs(least[a]!) / (most[a]! - least[a]!) : Infinity)
  const better = floor(other) < 0.25 * floor(usual) && least[other]! > -0.1 * (most[other]! - least[other]!)
  return `+${axes[better ? other : usual]!}`
}
