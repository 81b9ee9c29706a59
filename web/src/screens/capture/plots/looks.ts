// How a plot looks, and what its courses are called.

import type { Channel } from '../types'
import type { Look } from './chart'

const ends: Record<string, string> = { _x: 'x', _y: 'y', _z: 'z' }

/** What a column is called in the plot of its channel. */
export function shortName(c: Channel, column: string): string {
  if (c.columns.length === 1) return c.name
  const end = column.startsWith(c.name) ? column.slice(c.name.length) : column
  return ends[end] ?? end.replace(/^_/, '')
}

/** lookNow is how plots look by what the person's system prefers. */
export function lookNow(): Look {
  const style = getComputedStyle(document.documentElement)
  const value = (name: string) => style.getPropertyValue(name).trim()
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  return {
    text: value('--muted'),
    grid: value('--line'),
    events: { left: value('--left'), right: value('--right'), middle: value('--busy') },
    series: dark
      ? ['#f0907f', '#7fd39b', '#83b0ff', '#e2c263', '#d59be6', '#6fd0d6']
      : ['#c2452d', '#2b8a4b', '#2f6bd0', '#97700f', '#9443a8', '#167f88'],
  }
}
