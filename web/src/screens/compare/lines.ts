// The lines of a comparison: columns of captures along a common axis, and why some have none.

import { derive } from '../../curves/derive'
import { derivedName, derivedUnit } from '../../curves/derived'
import { increasing, normalised, points, type Course, type Span } from '../../curves/course'
import { between, cyclesOf } from '../../curves/spans'
import { place } from '../capture/skeleton/names'
import type { Channel } from '../capture/types'
import { isOff, type By, type Comparison } from './address'
import type { Numbers } from './read'
import { ownOf, type Mark, type Trial } from './trial'
import { eventText } from './words'

/** Line is a course of one column of one capture, or of one cycle of it; what is derived has its name and unit. */
export interface Line {
  trial: Trial
  column: string
  unit: string
  /** The number of the cycle, from 1; null where there are none. */
  cycle: number | null
  x: Float64Array
  y: Float64Array
  /** The course as it was recorded, and the stretch of it that the line shows. */
  course: Course
  span: Span
}

/** Lacking is why a capture has no line of a column. */
export interface Lacking {
  trial: Trial
  column: string
  why: string
}

export interface Lines {
  lines: Line[]
  lacking: Lacking[]
}

const percents = Float64Array.from({ length: points }, (_, k) => (100 * k) / (points - 1))

/** linesOf makes the lines of what has been read. */
export function linesOf(c: Comparison, trials: readonly Trial[], numbers: ReadonlyMap<string, Numbers>): Lines {
  const all: Lines = { lines: [], lacking: [] }
  for (const column of c.columns) {
    for (const trial of trials) {
      if (isOff(c, trial.id, column)) continue
      const values = numbers.get(trial.id)?.columns.get(column)
      const channel = trial.channels.find((one) => one.columns.includes(column))
      if (!values || !channel) {
        all.lacking.push({ trial, column, why: `has no channel ${column}` })
        continue
      }
      const { time } = numbers.get(trial.id)!
      const { even, rate } = trial.motion
      const derived = derive({ time, values, unit: channel.unit, rate: even ? rate : null }, c.how)
      const made =
        typeof derived === 'string'
          ? `${column} ${derived}`
          : along(of(c, trial, channel), trial, { time, values: derived })
      if (typeof made === 'string') all.lacking.push({ trial, column, why: made })
      else {
        const named = { column: derivedName(column, c.how), unit: derivedUnit(channel.unit, c.how) }
        all.lines.push(...made.map((m) => ({ ...m, ...named, trial })))
      }
    }
  }
  return all
}

/** of is the axis with the events of the side that a channel is on, and of its subject where there are several. */
function of(c: Comparison, trial: Trial, channel: Channel): Comparison {
  const { side } = place(channel.name)
  const its = (m: Mark) => m.side === side && (m.subject === null || m.subject === channel.subject)
  const resolve = (name: string) => {
    const what = ownOf(name)
    if (what === null) return name
    return (side !== 'middle' && trial.marks.find((m) => its(m) && m.what === what)?.name) || eventText(name)
  }
  return { ...c, from: resolve(c.from), to: resolve(c.to) }
}

type Along = Pick<Line, 'x' | 'y' | 'cycle' | 'course' | 'span'>

/** along lays a course along the axis of the comparison, or says why that cannot be. */
function along(c: Comparison, trial: Trial, course: Course): Along[] | string {
  const n = course.time.length
  const whole: Span = { from: course.time[0] ?? 0, to: course.time[n - 1] ?? 0 }
  if (c.over === 'frames') {
    const zero = c.from ? first(trial.marks, c.from)?.frame : 0
    if (zero === undefined || zero === null) return `has no event “${c.from}” in its frames`
    const x = Float64Array.from({ length: n }, (_, i) => i - zero)
    return [{ x, y: course.values, cycle: null, course, span: whole }]
  }
  if (!increasing(course.time)) {
    return trial.motion.rate === null && trial.motion.even
      ? 'has frames without a time'
      : 'has times that do not increase'
  }
  if (c.over === 'time') {
    const zero = c.from ? first(trial.marks, c.from)?.time : whole.from
    if (zero === undefined) return `has no event “${c.from}”`
    return [{ x: course.time.map((t) => t - zero), y: course.values, cycle: null, course, span: whole }]
  }
  const one = (span: Span, cycle: number | null) => ({
    x: percents,
    y: normalised(course, span),
    cycle,
    course,
    span,
  })
  if (c.over === 'cycles') {
    const cycles = cyclesOf(trial.marks, c.from)
    return cycles.length === 0 ? `has no two events “${c.from}”` : cycles.map((span, i) => one(span, i + 1))
  }
  const span = between(trial.marks, c.from, c.to)
  return span === null ? `has no “${c.from}” with a “${c.to}” after it` : [one(span, null)]
}

function first(marks: readonly Mark[], name: string): Mark | undefined {
  return marks.filter((m) => m.name === name).sort((a, b) => a.time - b.time)[0]
}

/** groupOf is what a capture belongs to. */
export function groupOf(trial: Trial, by: By): string {
  switch (by) {
    case 'all':
      return ''
    case 'athlete':
      return trial.whose ?? 'Nobody'
    case 'day':
      return trial.day ?? 'No time'
    case 'movement':
      return trial.movement || 'No label'
    case 'capture':
      return trial.name
  }
}

/** keyOf tells groups apart: names of athletes and of files may be alike. */
export function keyOf(trial: Trial, by: By): string {
  if (by === 'athlete') return trial.who ?? ''
  return by === 'capture' ? trial.id : groupOf(trial, by)
}
