// All captures that a list has, on whatever page.

import { get, type Good } from '../../api/request'
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
  for (let offset: number | null = 0; offset !== null && found.size < chosenMost; ) {
    const include: string = ['next', query.include].filter(Boolean).join()
    const page: Good<'/captures'> = await get('/captures', {
      query: { ...query, include, limit: atOnce, offset },
      signal,
    })
    for (const c of page.captures) if (found.size < chosenMost && !found.has(c.session_id)) found.set(c.session_id, c)
    told(found.size)
    offset = page.next_offset ?? null
  }
  return [...found.values()]
}
