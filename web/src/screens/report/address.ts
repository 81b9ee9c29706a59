// What a report is of, in its address.

/**
 * changed is the address of the report that is open, of which some texts are others; an empty one is taken out. It goes by
 * the address bar: of two changes right after each other the first one is not drawn yet.
 */
export function changed(to: Record<string, string | readonly string[]>): string {
  const next = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(to)) {
    next.delete(name)
    for (const one of typeof value === 'string' ? [value] : value) if (one) next.append(name, one)
  }
  return `/report?${next}`
}

/** numberedQuery has numbers from 1 in the place of the ids of captures and of an athlete, as a link has them. */
export function numberedQuery(search: string): string {
  const query = new URLSearchParams(search)
  const captures = query.getAll('capture')
  query.delete('capture')
  captures.forEach((_, i) => query.append('capture', String(i + 1)))
  if (query.has('athlete')) query.set('athlete', '1')
  return `?${query}`
}
