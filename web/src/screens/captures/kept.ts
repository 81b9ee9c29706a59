// Filters that this browser keeps for somebody, by organization.

/** Saved is filters under a name. The query is what stands in the address for them. */
export interface Saved {
  name: string
  query: string
}

/** So many are kept, with names of so many letters: more find no room on a screen. */
export const most = 30
export const longest = 60

/** place is where the browser keeps them. */
export const place = (organization: string) => `kinebase:filters:${organization}`

/** savedOf reads what is kept for an organization. What is not understood is left out. */
export function savedOf(organization: string): Saved[] {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(place(organization)) ?? '[]')
    if (!Array.isArray(all)) return []
    return (all as Partial<Saved>[]).filter(
      (s): s is Saved => typeof s?.name === 'string' && typeof s.query === 'string',
    )
  } catch {
    return [] // the browser keeps nothing for this page, or something else was written there
  }
}

/** withSaved is filters with some more, in the place of those of the same name. */
export function withSaved(all: readonly Saved[], one: Saved): Saved[] {
  const same = (a: string) => a.toLowerCase() === one.name.toLowerCase()
  return [...all.filter((s) => !same(s.name)), one].sort((a, b) => a.name.localeCompare(b.name)).slice(0, most)
}
