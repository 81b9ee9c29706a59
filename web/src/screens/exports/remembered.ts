// What an export asked for is not told by the interface. The browser that asked for
// it remembers, as long as its tab is open and the same person signed in, so that it
// can be asked for again, or for less of it.
import { queryOf, wishOf, type Wish } from './wish'

const place = 'kinebase:exports'
const most = 100

function all(): [id: string, query: string][] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(place) ?? '[]')
    return Array.isArray(list) ? (list as [string, string][]) : []
  } catch {
    return []
  }
}

/** remember keeps what an export asks for. */
export function remember(id: string, w: Wish): void {
  try {
    sessionStorage.setItem(place, JSON.stringify([...all().filter(([i]) => i !== id), [id, queryOf(w)]].slice(-most)))
  } catch {
    // Without storage the address of the export's own page still has it.
  }
}

/** wishes are those that are known, by the export. */
export function wishes(): ReadonlyMap<string, Wish> {
  return new Map(all().map(([id, query]) => [id, wishOf(new URLSearchParams(query))]))
}

/** addressOf is the page of an export. What it asked for goes along, for whoever is given the link. */
export function addressOf(id: string, w: Wish | undefined): string {
  const q = new URLSearchParams(w ? queryOf(w) : '')
  if (w) q.set('asked', '1')
  const text = q.toString()
  return `/exports/${encodeURIComponent(id)}${text ? `?${text}` : ''}`
}

/** wishAt is what the export of a page asked for, as far as that is known. */
export function wishAt(id: string, q: URLSearchParams): Wish | undefined {
  return q.has('asked') ? wishOf(q) : wishes().get(id)
}
