// What is plotted beside the channels of a recording: measures, and what is derived of channels. It stands in the address
// and is stored nowhere.

import { cutoffOf, derivedName, derivedUnit, type Derivation } from '../../../curves/derived'
import { channelOf, measureOf, type Measure } from '../measure/measure'
import { pointsOf } from '../scene/points'
import type { Channel, Motion } from '../types'

/** derivedText writes for an address what is derived of a channel. */
export function derivedText(name: string, how: Derivation): string {
  const what = [how.cutoff === null ? '' : `smooth-${how.cutoff}`, how.slope ? 'slope' : ''].filter(Boolean)
  return `${what.join('-')}/${encodeURIComponent(name)}`
}

/** derivedOf reads it; null where it says nothing of these channels. */
function derivedOf(text: string, channels: readonly Channel[]): Channel | null {
  const [, smooth, cutoff, slope, name] = /^(smooth-([\d.]+))?-?(slope)?\/(.+)$/.exec(text) ?? []
  const how = { cutoff: cutoffOf(cutoff ?? null), slope: slope !== undefined }
  if ((smooth !== undefined && how.cutoff === null) || (how.cutoff === null && !how.slope)) return null
  let of: Channel | undefined
  try {
    of = channels.find((c) => c.name === decodeURIComponent(name!))
  } catch {
    return null
  }
  // The numbers of a rotation mean nothing one by one.
  if (!of || of.kind === 'rotation') return null
  const { bits: _, measure: __, ...rest } = of
  return {
    ...rest,
    name: derivedName(of.name, how),
    unit: derivedUnit(of.unit, how),
    columns: of.columns.map((c) => derivedName(c, how)),
    missing: null,
    derived: { of, how },
  }
}

/** Extra is what is plotted beside the channels, and what stands in the address for it. */
export interface Extra {
  param: 'measure' | 'derived'
  text: string
  channel: Channel
}

/** extrasOf reads what an address has of them; a derived one may be of a measure. */
export function extrasOf(
  measures: readonly string[],
  derived: readonly string[],
  channels: readonly Channel[],
  motion: Motion,
): Extra[] {
  const known = new Set(pointsOf(motion).map((c) => c.name))
  const measured = measures.flatMap((text): Extra[] => {
    const m = measureOf(text, known)
    return m ? [{ param: 'measure', text, channel: channelOf(m, motion) }] : []
  })
  const of = [...channels, ...measured.map((m) => m.channel)]
  const more = derived.flatMap((text): Extra[] => {
    const channel = derivedOf(text, of)
    return channel ? [{ param: 'derived', text, channel }] : []
  })
  return [...measured, ...more]
}

/** measuresOf is what is measured between points among them. */
export function measuresOf(extras: readonly Extra[]): Measure[] {
  return extras.flatMap((e) => (e.channel.measure && !e.channel.derived ? [e.channel.measure] : []))
}
