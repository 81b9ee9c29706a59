// Choices of a comparison: the columns and the events that the captures have.

import { place, type Side } from '../capture/skeleton/names'
import { timesOf } from '../../curves/spans'
import type { Comparison, Figures } from './address'
import { ownName, type Trial } from './trial'

/** Offer is a column, and how many of the captures have it. */
export interface Offer {
  column: string
  /** The channel that it is of, as the file calls it. */
  channel: string
  kind: string
  unit: string
  captures: number
}

/** columnsOf lists the columns of captures: what more of them have comes first, and then the order of the files. */
export function columnsOf(trials: readonly Trial[]): Offer[] {
  const found = new Map<string, Offer>()
  for (const t of trials) {
    for (const c of t.channels) {
      for (const column of c.columns) {
        const offer = found.get(column) ?? { column, channel: c.name, kind: c.kind, unit: c.unit, captures: 0 }
        offer.captures++
        found.set(column, offer)
      }
    }
  }
  return [...found.values()].sort((a, b) => b.captures - a.captures)
}

/** otherSide is the column of the other side of the body: that of the same part, axis and kind; null for none. */
export function otherSide(column: string, offers: readonly Offer[]): string | null {
  const own = offers.find((o) => o.column === column)
  if (!own) return null
  const here = place(own.channel)
  if (here.side === 'middle') return null
  const end = column.startsWith(own.channel) ? column.slice(own.channel.length) : ''
  const other = offers.find((o) => {
    const there = place(o.channel)
    return (
      o.kind === own.kind &&
      there.part === here.part &&
      there.side !== here.side &&
      there.side !== 'middle' &&
      o.column === o.channel + end
    )
  })
  return other?.column ?? null
}

/** Happening is an event by its name, how many captures have it, and how many of those more than once. */
export interface Happening {
  name: string
  captures: number
  repeated: number
}

/**
 * happeningsOf lists the events of captures, those that more of them have first. What happens on both sides is there once
 * more as the event of the side that a channel is on: so the left knee goes from left to left and the right one from
 * right to right.
 */
export function happeningsOf(trials: readonly Trial[]): Happening[] {
  const found = new Map<string, Happening>()
  const add = (name: string, times: number) => {
    const one = found.get(name) ?? { name, captures: 0, repeated: 0 }
    if (times > 0) one.captures++
    if (times > 1) one.repeated++
    found.set(name, one)
  }
  for (const t of trials) {
    for (const name of new Set(t.marks.map((m) => m.name))) add(name, timesOf(t.marks, name).length)
    for (const what of new Set(t.marks.map((m) => m.what))) {
      const times = (side: Side) =>
        new Set(t.marks.filter((m) => m.side === side && m.what === what).map((m) => m.time)).size
      const least = Math.min(times('left'), times('right'))
      if (least > 0) add(ownName(what), least)
    }
  }
  return [...found.values()].sort((a, b) => b.captures - a.captures || a.name.localeCompare(b.name))
}

/** figuresFor is the first two captures that have points, at the event of the axis where both have it; null where there are none. */
export function figuresFor(c: Comparison, trials: readonly Trial[]): Figures | null {
  const [a, b] = trials.filter((t) => t.motion.channels.some((one) => one.kind === 'point'))
  if (!a || !b) return null
  const both = [a, b].every((t) => t.marks.some((m) => m.name === c.from))
  return { pair: [a.id, b.id], at: both ? c.from : '', lay: 'over', hold: 'moment' }
}
