// The values of one file among many, in the place of those for all files.

import { momentOf } from '../ui/moment'
import { attributesOf, type Movement } from '../ui/movement'
import type { Said } from './queue'

/** Own is what is said of one file: an empty value is as for all files. */
export interface Own extends Movement {
  athletes: readonly string[]
  /** Nobody moves in it, whoever moves in all files. */
  nobody: boolean
  /** As the field of the browser has it, in the time of the person. */
  recorded: string
  /** The same in ISO 8601 as a table has it, for an hour that comes twice in the time of the person; '' once edited. */
  moment: string
}

/** open is a file of which nothing is said. */
export const open: Own = {
  athletes: [],
  nobody: false,
  activity: '',
  movement: '',
  dimensions: {},
  recorded: '',
  moment: '',
}

/** saidOf is what counts for a file: what its row says, and else what is said of all. */
export function saidOf(all: Own, own: Own, camera: Said['camera']): Said {
  const movement: Movement = {
    activity: own.activity.trim() || all.activity,
    movement: own.movement.trim() || all.movement,
    dimensions: all.dimensions,
  }
  return {
    athletes: own.nobody || own.athletes.length > 0 ? own.athletes : all.athletes,
    attributes: { ...attributesOf(movement), ...own.dimensions },
    recorded: (own.moment || momentOf(own.recorded)) ?? momentOf(all.recorded),
    camera,
  }
}

/** agreed is what counts for files that become one recording: what is said of each when it is the same; else null. */
export function agreed(all: Own, rows: readonly Own[], camera: Said['camera']): Said | null {
  const saids = rows.map((own) => saidOf(all, own, camera))
  const text = ({ attributes, ...rest }: Said) => JSON.stringify([rest, Object.entries(attributes).sort()])
  const [first] = saids
  return first && saids.every((s) => text(s) === text(first)) ? first : null
}

/**
 * refilled is a row as another table has it: told is what that table says, laid what the one before it said. A field
 * that somebody changed by hand stays.
 */
export function refilled(row: Own, laid: Own, told: Own): Own {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  const who = same(row.athletes, laid.athletes) && row.nobody === laid.nobody ? told : row
  const when = row.recorded === laid.recorded && row.moment === laid.moment ? told : row
  return {
    athletes: who.athletes,
    nobody: who.nobody,
    activity: row.activity === laid.activity ? told.activity : row.activity,
    movement: row.movement === laid.movement ? told.movement : row.movement,
    dimensions: same(row.dimensions, laid.dimensions) ? told.dimensions : row.dimensions,
    recorded: when.recorded,
    moment: when.moment,
  }
}

/** Laid is what a table has said of a file. */
export interface Laid {
  own: Own
  sheet: File
}

/** filled gives the rows of files as tables fill them now; laid is what tables said of them before. */
export function filled(
  rows: ReadonlyMap<File, Own>,
  laid: ReadonlyMap<File, Laid>,
  told: ReadonlyMap<File, Laid>,
): Map<File, Own> {
  const next = new Map(rows)
  for (const f of new Set([...laid.keys(), ...told.keys()])) {
    const [last, now] = [laid.get(f), told.get(f)]
    if (last && last.sheet === now?.sheet) continue
    const row = refilled(rows.get(f) ?? open, last?.own ?? open, now?.own ?? open)
    if (!now && JSON.stringify(row) === JSON.stringify(open)) next.delete(f)
    else next.set(f, row)
  }
  return next
}
