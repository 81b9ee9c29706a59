// Lines that belong together, and their means.

import { bandOf, sharedTimes, type Band } from '../../curves/statistics'
import type { Comparison } from './address'
import { groupOf, keyOf, type Line } from './lines'

/** Group is the lines of one column of captures that belong together, in one unit. */
export interface Group {
  name: string
  unit: string
  lines: Line[]
  /** The mean of its lines along x; null where there is none, and why says so. */
  band: (Band & { x: Float64Array }) | null
  why: string
}

/** groupsOf puts lines together. What has another unit is another group: nobody means metres with millimetres. */
export function groupsOf(c: Comparison, lines: readonly Line[]): Group[] {
  const found = new Map<string, Group>()
  for (const line of lines) {
    const key = JSON.stringify([line.column, keyOf(line.trial, c.by), line.unit])
    const name = [line.column, groupOf(line.trial, c.by)].filter(Boolean).join(' · ')
    const group = found.get(key) ?? { name, unit: line.unit, lines: [], band: null, why: '' }
    group.lines.push(line)
    found.set(key, group)
  }
  for (const group of found.values()) Object.assign(group, meanOf(c, group.lines))
  return [...found.values()]
}

function meanOf(c: Comparison, lines: readonly Line[]): Pick<Group, 'band' | 'why'> {
  if (c.over === 'time') {
    const shared = sharedTimes(lines.map((l) => l.x))
    if (!shared)
      return { band: null, why: 'Samples of several captures fall on different times: choose frames or per cent.' }
    const { x, from } = shared
    return { band: { ...bandOf(lines.map((l, i) => l.y.subarray(from[i]!, from[i]! + x.length))), x }, why: '' }
  }
  if (c.over !== 'frames') return { band: { ...bandOf(lines.map((l) => l.y)), x: lines[0]!.x }, why: '' }
  const rates = new Set(lines.map((l) => l.trial.motion.rate))
  if (rates.size > 1) return { band: null, why: 'The captures have different frame rates: choose per cent.' }
  const from = Math.max(...lines.map((l) => l.x[0] ?? 0))
  const to = Math.min(...lines.map((l) => l.x[l.x.length - 1] ?? -1))
  if (to < from) return { band: null, why: 'No frame is in all captures.' }
  const length = to - from + 1
  const cut = lines.map((l) => l.y.subarray(from - l.x[0]!, from - l.x[0]! + length))
  return { band: { ...bandOf(cut), x: Float64Array.from({ length }, (_, i) => from + i) }, why: '' }
}
