// The courses of a derived channel: they come where somebody wants some.

import { derive } from '../../../curves/derive'
import { decimals } from '../data/decimal'
import type { Channel, Motion } from '../types'
import type { Courses } from './chart'

/** derivedCourses computes the courses of a derived channel; the error says why it cannot be. rows is how many samples all are. */
export function derivedCourses(c: Courses, channel: Channel, motion: Motion, samples: boolean): Courses {
  const { of, how } = channel.derived!
  const rows = motion.frames * (samples ? of.per_frame : 1)
  if (c.time.length !== rows)
    throw new Error(`Not every sample of ${of.name} is loaded: nothing is derived of the others.`)
  const rate = motion.even ? (samples ? of.rate : motion.rate) : null
  const columns = c.columns.map((values) => {
    const made = derive({ time: c.time, values: decimals(values), unit: of.unit, rate }, how)
    if (typeof made === 'string') throw new Error(`${of.name} ${made}.`)
    return made
  })
  return { time: c.time, columns }
}
