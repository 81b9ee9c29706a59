// The comparison that somebody works on: the tab remembers its address, so that captures of other pages can be added.

/** More captures than these make no chart that can be read, and no address that can be sent. */
export const comparedMost = 60

const place = 'kinebase:comparison'

/** underWay is the query of the comparison that was looked at last; null for none. */
export function underWay(): URLSearchParams | null {
  try {
    const text = sessionStorage.getItem(place)
    return text === null ? null : new URLSearchParams(text)
  } catch {
    return null // the browser keeps nothing for this page
  }
}

/** remember keeps the query of a comparison; an empty one is forgotten. */
export function remember(query: URLSearchParams): void {
  try {
    if (query.has('capture')) sessionStorage.setItem(place, query.toString())
    else sessionStorage.removeItem(place)
  } catch {
    // Then captures begin a comparison of their own.
  }
}

/** compared is the address of a comparison of captures, or of the one under way with these in it too. */
export function compared(captures: readonly string[], added = false): string {
  const query = (added ? underWay() : null) ?? new URLSearchParams()
  const there = new Set(query.getAll('capture'))
  for (const id of captures) if (!there.has(id)) query.append('capture', id)
  return `/compare?${query}`
}
