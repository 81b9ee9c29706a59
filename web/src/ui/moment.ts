// Moments as a field of the browser has them: in the time of the person.

/** localOf is a moment of the interface as the field shows it; "" for none. */
export function localOf(iso: string | null): string {
  if (!iso) return ''
  const t = new Date(iso)
  return new Date(t.getTime() - t.getTimezoneOffset() * 60_000).toISOString().slice(0, -1)
}

/** momentOf is what a field shows as the interface takes it; null for none. */
export function momentOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString()
}
