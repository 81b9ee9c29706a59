// A comparison: all of it stands in the address, so that it can be sent.

import { cutoffOf, type Derivation } from '../../curves/derived'
import { comparedMost } from '../../ui/comparison'

/** Over is along what courses are laid beside each other. */
export type Over = 'time' | 'frames' | 'percent' | 'cycles'
/** By is what belongs together in one mean. */
export type By = 'all' | 'athlete' | 'day' | 'movement' | 'capture'
export type Show = 'both' | 'mean' | 'lines'

/** Lay is whether two figures are in one scene, or each in its own. */
export type Lay = 'over' | 'side'
/** Hold is when the pelvises of two figures are at one place: at the moment, in every frame, or wherever they were. */
export type Hold = 'moment' | 'always' | 'recorded'

/** Figures is two captures whose points are shown together. */
export interface Figures {
  pair: readonly [string, string]
  /** The event that is one moment for both; "" for the first frame. */
  at: string
  lay: Lay
  hold: Hold
}

/** Off is a column of a capture that is not shown. */
export interface Off {
  capture: string
  column: string
}

export interface Comparison {
  captures: string[]
  columns: string[]
  over: Over
  /** The event at which time or frames are 0, the stretch begins, or the cycles do; "" for none. */
  from: string
  /** The event at which the stretch ends. */
  to: string
  by: By
  show: Show
  off: Off[]
  /** What is done with every course before it is shown. */
  how: Derivation
  /** null where none are shown. */
  figures: Figures | null
}

/** More columns than these make no chart that can be read. */
export const columnsMost = 12

export const overs: readonly (readonly [Over, string])[] = [
  ['time', 'Time'],
  ['frames', 'Frames'],
  ['percent', 'Per cent between two events'],
  ['cycles', 'Per cent of each cycle'],
]
export const bys: readonly (readonly [By, string])[] = [
  ['all', 'All captures'],
  ['athlete', 'Each athlete'],
  ['day', 'Each day'],
  ['movement', 'Each movement'],
  ['capture', 'Each capture'],
]
export const shows: readonly (readonly [Show, string])[] = [
  ['both', 'Lines, mean and SD'],
  ['mean', 'Mean and SD'],
  ['lines', 'Lines'],
]

export const lays: readonly (readonly [Lay, string])[] = [
  ['over', 'In one scene'],
  ['side', 'Side by side'],
]
export const holds: readonly (readonly [Hold, string])[] = [
  ['moment', 'Pelvis, at that moment'],
  ['always', 'Pelvis in every frame'],
  ['recorded', 'As they were recorded'],
]

function known<T extends string>(options: readonly (readonly [T, string])[], text: string | null): T {
  return options.find(([o]) => o === text)?.[0] ?? options[0]![0]
}

const distinct = (all: string[], most: number) => [...new Set(all.filter(Boolean))].slice(0, most)

/** comparisonOf reads an address; what it does not understand is as in an address that says nothing. */
export function comparisonOf(query: URLSearchParams): Comparison {
  const captures = distinct(query.getAll('capture'), comparedMost)
  const columns = distinct(query.getAll('column'), columnsMost)
  return {
    captures,
    columns,
    over: known(overs, query.get('over')),
    from: query.get('from') ?? '',
    to: query.get('to') ?? '',
    by: known(bys, query.get('by')),
    show: known(shows, query.get('show')),
    off: query.getAll('off').flatMap((text) => {
      const [, c = '', k = ''] = /^(\d+)\.(\d+)$/.exec(text) ?? []
      const [capture, column] = [captures[Number(c)], columns[Number(k)]]
      return c && k && capture && column ? [{ capture, column }] : []
    }),
    how: { cutoff: cutoffOf(query.get('smooth')), slope: query.get('slope') === '1' },
    figures: figuresOf(query, captures),
  }
}

/** figuresOf reads the two captures whose figures are shown, named by their places. */
function figuresOf(query: URLSearchParams, captures: readonly string[]): Figures | null {
  const [, m, n] = /^(\d+)\.(\d+)$/.exec(query.get('figures') ?? '') ?? []
  const [a, b] = [captures[Number(m)], captures[Number(n)]]
  if (a === undefined || b === undefined || a === b) return null
  const at = query.get('figures_at') ?? ''
  return { pair: [a, b], at, lay: known(lays, query.get('figures_lay')), hold: known(holds, query.get('figures_hold')) }
}

/** addressOf writes a comparison; what is off is named by the places of its capture and its column. */
export function addressOf(c: Comparison): string {
  const q = new URLSearchParams()
  for (const id of c.captures) q.append('capture', id)
  for (const name of c.columns) q.append('column', name)
  if (c.over !== 'time') q.set('over', c.over)
  if (c.from) q.set('from', c.from)
  if (c.to && c.over === 'percent') q.set('to', c.to)
  if (c.by !== 'all') q.set('by', c.by)
  if (c.show !== 'both') q.set('show', c.show)
  for (const { capture, column } of c.off) {
    const [i, k] = [c.captures.indexOf(capture), c.columns.indexOf(column)]
    if (i >= 0 && k >= 0) q.append('off', `${i}.${k}`)
  }
  if (c.how.cutoff !== null) q.set('smooth', String(c.how.cutoff))
  if (c.how.slope) q.set('slope', '1')
  const places = c.figures?.pair.map((id) => c.captures.indexOf(id)) ?? []
  if (c.figures && places.every((at) => at >= 0)) {
    q.set('figures', places.join('.'))
    if (c.figures.at) q.set('figures_at', c.figures.at)
    if (c.figures.lay !== 'over') q.set('figures_lay', c.figures.lay)
    if (c.figures.hold !== 'moment') q.set('figures_hold', c.figures.hold)
  }
  const text = q.toString()
  return text ? `/compare?${text}` : '/compare'
}

/** numbered is a comparison with numbers from 1 in the place of the ids of its captures, as a link has them. */
export function numbered(c: Comparison): Comparison {
  const number = (id: string) => String(c.captures.indexOf(id) + 1)
  const pair = c.figures && ([number(c.figures.pair[0]), number(c.figures.pair[1])] as const)
  return {
    ...c,
    captures: c.captures.map(number),
    off: c.off.map((o) => ({ ...o, capture: number(o.capture) })),
    figures: c.figures && pair && { ...c.figures, pair },
  }
}

/** isOff says whether a column of a capture is not shown. */
export function isOff(c: Comparison, capture: string, column: string): boolean {
  return c.off.some((o) => o.capture === capture && o.column === column)
}
