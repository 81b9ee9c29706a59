// All captures that a list has, on whatever page.

import { pages } from 'kinebase/pages'
import { get } from '../../api/request'
import type { Capture } from './rows'

/** So many captures can be chosen: what is done with them is done one by one. */
export const chosenMost = 5_000

const atOnce = 200

/** matching reads the captures of a list, each once, up to chosenMost; told hears how many there are so far. */
export async function matching(
  query: Record<string, string | number | null | undefined>,
  told: (n: number) => void,
  signal: AbortSignal,
): Promise<Capture[]> {
  const found = new Map<string, Capture>()
  const include = ['next', query.include].filter(Boolean).join()
  const all = pages(0, async (offset) => {
    const page = await get('/captures', { query: { ...query, include, limit: atOnce, offset }, signal })
    return { rows: page.captures, next: page.next_offset }
  })
  for await (const some of all) {
    for (const c of some) if (found.size < chosenMost && !found.has(c.session_id)) found.set(c.session_id, c)
    told(found.size)
    if (found.size >= chosenMost) break
  }
  return [...found.values()]
}
