// Single numbers of captures, by the groups that are compared.

import { reading } from '../../curves/course'
import { difference, spread, type Difference, type Sample, type Spread } from '../../curves/statistics'
import { humanized } from '../../ui/text'
import type { By } from './address'
import { groupOf, keyOf, type Line } from './lines'
import type { Trial } from './trial'

/** Value is one number of one capture. */
interface Value {
  trial: Trial
  value: number
}

/** Metric is a number that captures have, in one unit. */
export interface Metric {
  key: string
  name: string
  unit: string
  /** Where it comes from. */
  source: 'file' | 'computed' | 'lines'
  values: Value[]
}

/** Cell is what a group has of a metric. */
export interface Cell {
  spread: Spread | null
  /** The difference to the first group; null for the first one, and where one of them has nothing. */
  difference: Difference | null
}

export interface Row extends Metric {
  cells: Cell[]
}

export interface Table {
  groups: { name: string; captures: number }[]
  rows: Row[]
}

/** metricsOf lists the numbers that files have and those that were computed: the latter first. */
export function metricsOf(trials: readonly Trial[]): Metric[] {
  const found = new Map<string, Metric>()
  const add = (trial: Trial, source: Metric['source'], name: string, unit: string, value: number | null) => {
    if (value === null || !Number.isFinite(value)) return
    const key = JSON.stringify([source, name, unit])
    const metric = found.get(key) ?? { key, name, unit, source, values: [] }
    metric.values.push({ trial, value })
    found.set(key, metric)
  }
  for (const t of trials)
    for (const m of t.motion.computed?.metrics ?? []) add(t, 'computed', humanized(m.column), m.unit, m.value)
  for (const t of trials) {
    // A name that a file has twice tells nothing of which one is meant.
    const names = t.motion.metrics.map((m) => [m.subject, m.context, m.name].filter(Boolean).join(' '))
    t.motion.metrics.forEach((m, i) => {
      if (names.indexOf(names[i]!) === names.lastIndexOf(names[i]!)) add(t, 'file', names[i]!, m.unit, m.value)
    })
  }
  return [...found.values()]
}

/**
 * peaksOf is the greatest and the least value and the range of the stretch that each line shows, of its samples as they
 * were recorded; of several cycles of a capture the mean. A stretch with a gap has none: its peak may lie in the gap.
 */
export function peaksOf(lines: readonly Line[]): Metric[] {
  const found: Metric[] = []
  const kinds = [
    ['max', 'Maximum'],
    ['min', 'Minimum'],
    ['range', 'Range'],
  ] as const
  const columns = [...new Map(lines.map((l) => [JSON.stringify([l.column, l.unit]), l])).values()]
  for (const { column, unit } of columns) {
    const own = lines.filter((l) => l.column === column && l.unit === unit)
    const whole = [...new Set(own.map((l) => l.trial))].flatMap((trial) => {
      const read = own.filter((l) => l.trial === trial).map((l) => reading(l.course, l.span))
      return read.every((r) => r !== null && r.missing === 0) ? [{ trial, read }] : []
    })
    for (const [kind, name] of kinds) {
      found.push({
        key: JSON.stringify(['lines', column, unit, kind]),
        name: `${name} of ${column}`,
        unit,
        source: 'lines',
        values: whole.map(({ trial, read }) => ({ trial, value: spread(read.map((r) => r![kind]))!.mean })),
      })
    }
  }
  return found
}

/** tableOf has the mean and the deviation of each group, and the difference to the first one. */
export function tableOf(trials: readonly Trial[], metrics: readonly Metric[], by: By): Table {
  const names = new Map(trials.map((t) => [keyOf(t, by), groupOf(t, by)]))
  const keys = [...names.keys()]
  const samples = (m: Metric, key: string): Sample[] =>
    m.values.filter((v) => keyOf(v.trial, by) === key).map((v) => ({ who: v.trial.who, value: v.value }))
  return {
    groups: keys.map((key) => ({
      name: names.get(key) || 'All captures',
      captures: trials.filter((t) => keyOf(t, by) === key).length,
    })),
    rows: metrics.map((m) => ({
      ...m,
      cells: keys.map((key, n) => {
        const own = samples(m, key)
        return {
          spread: spread(own.map((s) => s.value)),
          difference: n === 0 ? null : difference(samples(m, keys[0]!), own),
        }
      }),
    })),
  }
}
