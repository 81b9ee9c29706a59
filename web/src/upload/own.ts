// The values of one file among many, in the place of those for all files.

import { momentOf } from '../ui/moment'
import { attributesOf, type Movement } from '../ui/movement'
import type { Said } from './queue'

/** Own is what is said of one file: an empty value is as for all files. */
export interface Own extends Movement {
  athletes: readonly string[]
  /** As the field of the browser has it, in the time of the person. */
  recorded: string
}

/** open is a file of which nothing is said. */
export const open: Own = { athletes: [], activity: '', movement: '', dimensions: {}, recorded: '' }

/** saidOf is what counts for a file: what its row says, and else what is said of all. */
export function saidOf(all: Own, own: Own, camera: Said['camera']): Said {
  const movement: Movement = {
    activity: own.activity.trim() || all.activity,
    movement: own.movement.trim() || all.movement,
    dimensions: all.dimensions,
  }
  return {
    athletes: own.athletes.length > 0 ? own.athletes : all.athletes,
    attributes: { ...attributesOf(movement), ...own.dimensions },
    recorded: momentOf(own.recorded) ?? momentOf(all.recorded),
    camera,
  }
}

/** over lays the values of a table over those that a file has; an empty one of the table replaces nothing. */
export function over(before: Own, told: Own): Own {
  return {
    athletes: told.athletes.length > 0 ? told.athletes : before.athletes,
    activity: told.activity || before.activity,
    movement: told.movement || before.movement,
    dimensions: { ...before.dimensions, ...told.dimensions },
    recorded: told.recorded || before.recorded,
  }
}
