// Reads an athlete's metrics from the interface.
import { get, type Good } from '../../../api/request'
import { kindsOf, sameKind, type Kind } from './kinds'
import type { Measured } from './series'

type Page = Good<'/athletes/{athleteId}/metrics'>

const atOnce = 500

/** So many captures are read to find out of which movements there are metrics; where there are more, the newest. */
const looked = 1_000

/** Found is which movements there are metrics of. */
export interface Found {
  kinds: Kind[]
  /** The captures with all their metrics, where these are all that there are; else null. */
  all: Measured[] | null
}

async function pages(athlete: string, kind: Kind | null, from: number, signal: AbortSignal): Promise<Measured[]> {
  const list: Measured[] = []
  for (let offset: number | null = from; offset !== null; ) {
    const page: Page = await get('/athletes/{athleteId}/metrics', {
      path: { athleteId: athlete },
      query: { activity: kind?.activity, movement: kind?.movement, limit: atOnce, offset },
      signal,
    })
    list.push(...page.captures)
    offset = page.next_offset
  }
  return list
}

/** find asks of which movements an athlete has metrics; others are those of captures that may have some. */
export async function find(
  athlete: string,
  others: readonly Omit<Kind, 'captures'>[],
  signal: AbortSignal,
): Promise<Found> {
  const one = await get('/athletes/{athleteId}/metrics', { path: { athleteId: athlete }, query: { limit: 1 }, signal })
  const from = Math.max(0, one.total_count - looked)
  const captures = await pages(athlete, null, from, signal)
  const kinds = kindsOf(captures.filter((c) => Object.keys(c.metrics).length > 0))
  if (from === 0) return { kinds, all: captures }
  const more = kindsOf(others).filter((k) => !kinds.some((known) => sameKind(known, k)))
  return { kinds: [...kinds, ...more], all: null }
}

/** readKind asks for the metrics of all captures of a movement, page by page. */
export async function readKind(athlete: string, kind: Kind, signal: AbortSignal): Promise<Measured[]> {
  // The filter of the interface cannot ask for what has no label.
  return (await pages(athlete, kind, 0, signal)).filter((c) => sameKind(c, kind))
}
