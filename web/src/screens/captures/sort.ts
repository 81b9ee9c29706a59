// In which order a list is. The interface has the newest and the oldest first, of any number of captures. By a name the
// console sorts itself, all that there is and never a page alone, where that is not more than it reads.
import { pages } from 'kinebase/pages'
import { get, type Good } from '../../api/request'
import { byName, sorted, type Sort } from './orders'
import type { Capture } from './rows'

/** Of so many captures a list can be sorted by a name: all of them are read for it. */
export const sortedMost = 5_000
/** Rows of one answer. */
const atOnce = 500

export type Page = Good<'/captures'> & {
  /** It is not in the order that was asked for: there is too much of it. */
  unsorted?: boolean
}

type Asked = Record<string, string | number | null | undefined>

/** listed reads a page of a list in an order. */
export async function listed(
  asked: Asked,
  sort: Sort,
  limit: number,
  offset: number,
  signal: AbortSignal,
): Promise<Page> {
  const one = (limit: number, offset: number, more: Asked = {}) =>
    get('/captures', { query: { ...asked, ...more, limit, offset }, signal })
  const include = ['next', asked.include].filter(Boolean).join()
  if (!byName(sort)) return one(limit, offset, { include, ...(sort === 'oldest' ? { order: 'oldest' } : {}) })
  const rows: Capture[] = []
  let total = 0
  const all = pages(0, async (from) => {
    const part = await one(atOnce, from, { include })
    total = part.total_count
    return { rows: part.captures, next: part.next_offset }
  })
  for await (const some of all) {
    if (total > sortedMost) return { ...(await one(limit, offset, { include })), unsorted: true }
    rows.push(...some)
  }
  const end = offset + limit
  const captures = sorted(rows, sort).slice(offset, end)
  return { captures, total_count: total, offset, limit, next_offset: end < rows.length ? end : null }
}
