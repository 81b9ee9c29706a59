// The orders that a list can have, and what is sorted by a name.
import { label } from '../../ui/text'
import type { Capture } from './rows'

/** The orders of a list, as the address has them. A minus turns one round. */
export const sorts = [
  ['', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['movement', 'Movement, A to Z'],
  ['-movement', 'Movement, Z to A'],
  ['athlete', 'Athlete, A to Z'],
  ['-athlete', 'Athlete, Z to A'],
  ['file', 'File name, A to Z'],
  ['-file', 'File name, Z to A'],
] as const
export type Sort = (typeof sorts)[number][0]
export type Name = 'movement' | 'athlete' | 'file'

/** sortOf is the order that an address asks for. */
export function sortOf(query: URLSearchParams): Sort {
  return sorts.find(([s]) => s === query.get('sort'))?.[0] ?? ''
}

/** byName says whether an order is one by a name. */
export function byName(sort: Sort): boolean {
  return sort !== '' && sort !== 'oldest'
}

/** titleOf is what a capture shows first: its labels, or else the name of its file. */
export function titleOf(c: Pick<Capture, 'activity' | 'movement'>): string {
  return [c.activity, c.movement]
    .filter((s): s is string => s !== null)
    .map(label)
    .join(' · ')
}

const names: Record<Name, (c: Capture) => string> = {
  movement: (c) => titleOf(c) || (c.file_name ?? ''),
  athlete: (c) => c.athlete_name ?? '',
  file: (c) => c.file_name ?? '',
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** sorted puts captures into an order by a name. What has no name comes last either way; equals stay newest first. */
export function sorted(captures: readonly Capture[], sort: Sort): Capture[] {
  const turn = sort.startsWith('-') ? -1 : 1
  const name = names[sort.replace('-', '') as Name]
  return captures
    .map((c) => [name(c), c] as const)
    .sort(([a], [b]) => (a && b ? turn * collator.compare(a, b) : Number(!a) - Number(!b)))
    .map(([, c]) => c)
}
