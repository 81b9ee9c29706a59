// Stretches between events.

import type { Span } from './course'

/** Moment is an event by its name. */
export interface Moment {
  name: string
  time: number
}

/** timesOf is when an event happened, the earliest first. What was marked twice at one time counts once. */
export function timesOf(moments: readonly Moment[], name: string): number[] {
  const times = moments.filter((m) => m.name === name && m.time - m.time === 0).map((m) => m.time)
  return [...new Set(times)].sort((a, b) => a - b)
}

/**
 * between is the stretch from the first time of an event to the first time of another one after it; null where there is
 * none. From an event to itself it is the first cycle.
 */
export function between(moments: readonly Moment[], from: string, to: string): Span | null {
  const begin = timesOf(moments, from)[0]
  if (begin === undefined) return null
  const end = timesOf(moments, to).find((t) => t > begin)
  return end === undefined ? null : { from: begin, to: end }
}

/** cyclesOf is the stretches from each time of an event to its next one. */
export function cyclesOf(moments: readonly Moment[], name: string): Span[] {
  const times = timesOf(moments, name)
  return times.slice(1).map((to, i) => ({ from: times[i]!, to }))
}

/** Phases is the cycles of an event, and when within each of them other events happen. */
export interface Phases {
  /** The other events that happen within a cycle. */
  names: string[]
  cycles: { span: Span; duration: number; at: (number | null)[] }[]
}

/** phasesOf says of each cycle how long it takes, and at which per cent of it each other event first happens in it. */
export function phasesOf(moments: readonly Moment[], name: string): Phases {
  const spans = cyclesOf(moments, name)
  const within = (other: string, { from, to }: Span) => timesOf(moments, other).find((t) => t > from && t < to)
  const names = [...new Set(moments.map((m) => m.name))].filter(
    (other) => other !== name && spans.some((span) => within(other, span) !== undefined),
  )
  return {
    names,
    cycles: spans.map((span) => {
      const duration = span.to - span.from
      const part = (t: number | undefined) => (t === undefined ? null : (100 * (t - span.from)) / duration)
      return { span, duration, at: names.map((other) => part(within(other, span))) }
    }),
  }
}
