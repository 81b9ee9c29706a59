// Texts of the library of movements about a column.
import type { Good } from '../api/request'

/** Column is an event or a metric of a movement with its definition. */
export type Column = Good<'/movements'>['movements'][number]['columns'][number]

/** definitionOf is what a column is and how it is found, in sentences; undefined where nobody knows. */
export function definitionOf(c: Column | undefined): string | undefined {
  return c && [c.description, c.definition, c.formula].filter(Boolean).join(' ')
}

/** written is a number with the decimals that mean something, or six digits where no definition says how many. */
export function written(value: number, c: Column | undefined): string {
  return c ? value.toFixed(c.precision) : String(Number(value.toPrecision(6)))
}
