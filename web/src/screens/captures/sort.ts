// In which order a list is. The interface has the newest and the oldest first, of any number of captures. By a name the
// console sorts itself, all that there is and never a page alone, where that is not more than it reads.
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
  for (let from: number | null = 0; from !== null; ) {
    const part: Good<'/captures'> = await one(atOnce, from, { include })
    if (part.total_count > sortedMost) return { ...(await one(limit, offset, { include })), unsorted: true }
    rows.push(...part.captures)
    from = part.next_offset ?? null
    if (from === null) {
      const end = offset + limit
      const captures = sorted(rows, sort).slice(offset, end)
      return { ...part, captures, offset, limit, next_offset: end < rows.length ? end : null }
    }
  }
  throw new Error('a list has an end')
}
