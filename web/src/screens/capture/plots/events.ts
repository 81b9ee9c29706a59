// Events above a plot: what each is called there, on which side, and in which line
// there is room for its name.

import { place, type Side } from '../skeleton/names'
import type { Motion, MotionEvent } from '../types'
import { humanized } from '../../../ui/text'

export interface Mark {
  time: number
  /** The name in full, with its side. */
  label: string
  /** The first letters of its words, for where the full name has no room. */
  short: string
  side: Side
}

const sides: Record<string, Side> = { left: 'left', l: 'left', right: 'right', r: 'right' }

/** On which side of the body an event happened: as it says, or as its name does. */
export function sideOf(e: Pick<MotionEvent, 'context' | 'label'>): Side {
  return sides[e.context.trim().toLowerCase()] ?? place(e.label).side
}

/** The events of a recording: those that its file has, and those that were computed and that it does not have. */
export function eventsOf(own: readonly MotionEvent[], computed: Motion['computed']): MotionEvent[] {
  const letters = (label: string) => label.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const told = new Set(own.map((e) => letters(e.label)))
  const found = (computed?.events ?? []).map((e) => ({
    label: humanized(e.column),
    context: '',
    time: e.time,
    frame: e.frame,
    subject: '',
    description: '',
  }))
  return [...own, ...found.filter((e) => !told.has(letters(e.label)))]
}

/** severalOf says whether events are of several subjects: then their names alone do not tell whose they are. */
export function severalOf(events: readonly MotionEvent[]): boolean {
  return new Set(events.flatMap((e) => e.subject || [])).size > 1
}

/**
 * marksOf names events, the earliest first. The letter of the side says what its colour says; of several subjects each
 * event has its own before it.
 */
export function marksOf(events: readonly MotionEvent[], several = severalOf(events)): Mark[] {
  return [...events]
    .sort((a, b) => a.time - b.time)
    .map((e) => {
      const side = sideOf(e)
      const label = e.label || 'Event'
      const context = e.context.trim()
      const told = sides[context.toLowerCase()]
      const before = told ? told[0]!.toUpperCase() : context.toLowerCase() === 'general' ? '' : context
      const initials = label
        .split(/[^\p{L}\p{N}]+/u)
        .filter(Boolean)
        .map((w) => w[0]!.toUpperCase())
        .join('')
      return {
        time: e.time,
        side,
        label: (several && e.subject ? `${e.subject}: ` : '') + [before, label].filter(Boolean).join(' '),
        short: [before, initials].filter(Boolean).join(' '),
      }
    })
}

/** More lines of names would take the place of the plot. */
export const linesMost = 4
const gap = 6 // pixels between two names

/** A name that stands above a plot: where it begins, and in which line, from below. */
export interface Placed {
  text: string
  x: number
  line: number
}

/**
 * Places names in as few lines as they need, at most linesMost: in full where all have
 * room so, else the short ones. What has no room even so is null; its line in the plot
 * stays. at is where each mark stands, in pixels from 0 to width, ascending.
 */
export function placeNames(
  marks: readonly Mark[],
  at: readonly number[],
  width: number,
  measure: (text: string) => number,
): (Placed | null)[] {
  const full = lay(
    marks.map((m) => m.label),
    at,
    width,
    measure,
  )
  return full.every((p) => p !== null)
    ? full
    : lay(
        marks.map((m) => m.short),
        at,
        width,
        measure,
      )
}

function lay(
  texts: string[],
  at: readonly number[],
  width: number,
  measure: (text: string) => number,
): (Placed | null)[] {
  const free = new Array<number>(linesMost).fill(-Infinity) // where each line has room again
  return texts.map((text, i) => {
    const wide = measure(text)
    const x = Math.max(0, Math.min(at[i]! + 2, width - wide))
    const line = free.findIndex((f) => f <= x)
    if (line < 0) return null
    free[line] = x + wide + gap
    return { text, x, line }
  })
}
