// What of the plots is laid over cycles: columns of the recording, measures, and what is derived of either.

import { plain, type Derivation } from '../../../curves/derived'
import { columnsMost, type Comparison } from '../../compare/address'
import { linesOf, type Lines } from '../../compare/lines'
import type { Numbers } from '../../compare/read'
import type { Trial } from '../../compare/trial'
import { columnsOf, measured } from '../measure/measure'
import type { Channel, Motion } from '../types'

/** Part is one column of a channel or of a measure, and what is derived of it. */
export interface Part {
  of: Channel
  column: string
  how: Derivation
}

/** partsOf is what plots show, as far as one chart can be read. */
export function partsOf(plotted: readonly Channel[]): Part[] {
  const all = plotted.flatMap((c): Part[] => {
    const of = c.derived?.of ?? c
    return of.columns.map((column) => ({ of, column, how: c.derived?.how ?? plain }))
  })
  return all.slice(0, columnsMost)
}

/** readOf is the columns of the recording that these are made of. */
export function readOf(parts: readonly Part[], motion: Motion): string[] {
  return [...new Set(parts.flatMap((p) => (p.of.measure ? columnsOf(p.of.measure, motion) : [p.column])))]
}

const key = (how: Derivation) => JSON.stringify([how.cutoff, how.slope])

/** sameOf is what is derived of all parts alike; nothing where it is not the same. */
export function sameOf(parts: readonly Part[]): Derivation {
  const hows = new Map(parts.filter((p) => !p.of.measure).map((p) => [key(p.how), p.how]))
  return hows.size === 1 ? [...hows.values()][0]! : plain
}

/** cyclesOf makes the lines of the parts, those that are derived alike together. */
export function cyclesOf(
  c: Comparison,
  parts: readonly Part[],
  trial: Trial,
  motion: Motion,
  read: ReadonlyMap<string, Numbers>,
): Lines {
  const numbers = read.get(trial.id)
  const columns = new Map(numbers?.columns)
  const measures = new Set(parts.flatMap((p) => (p.of.measure ? [p.of] : [])))
  for (const { name, measure } of measures) {
    const of = columnsOf(measure!, motion).map((column) => columns.get(column))
    if (of.every((one) => one !== undefined)) columns.set(name, measured(measure!, of))
  }
  const known = { ...trial, channels: [...trial.channels, ...measures] }
  const all: Lines = { lines: [], lacking: [] }
  for (const how of new Map(parts.map((p) => [key(p.how), p.how])).values()) {
    const some = parts.filter((p) => key(p.how) === key(how)).map((p) => p.column)
    const of = new Map(numbers && [[trial.id, { time: numbers.time, columns }]])
    const made = linesOf({ ...c, columns: [...new Set(some)], how }, [known], of)
    all.lines.push(...made.lines)
    all.lacking.push(...made.lacking)
  }
  return all
}
