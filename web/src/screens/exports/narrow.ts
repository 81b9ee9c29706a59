// How an export that was too large is asked for less.
import { get } from '../../api/request'
import { daysOf, rangeText, shifted, type Wish } from './wish'

/** Narrower is a wish for less, and what it leaves of it, in words. */
export interface Narrower {
  wish: Wish
  words: string
}

/** spanOf is the days that a wish is about: its own, or those of the captures that there are. */
export async function spanOf(w: Wish, signal: AbortSignal): Promise<{ from: string; to: string }> {
  const today = new Date().toISOString().slice(0, 10)
  if (w.from && w.to) return { from: w.from, to: w.to }
  if (w.dateMode === 'last_modified') return { from: w.from || shifted(w.to || today, -29), to: w.to || today }
  const query = { activity: w.activity, movement: w.movement, status: 'completed', limit: 1 }
  const newest = await get('/captures', { query, signal })
  const oldest =
    newest.total_count > 1
      ? await get('/captures', { query: { ...query, offset: newest.total_count - 1 }, signal })
      : newest
  const dayAt = (page: typeof newest) => page.captures[0]?.capture_time?.slice(0, 10)
  const to = w.to || dayAt(newest) || today
  return { from: w.from || dayAt(oldest) || shifted(to, -29), to }
}

/** narrowed lists ways to ask for less, the plainest first. span is null as long as it is not known. */
export function narrowed(w: Wish, span: { from: string; to: string } | null): Narrower[] {
  const list: Narrower[] = []
  if (span) {
    const days = daysOf(span.from, span.to)
    if (days > 1) {
      const from = shifted(span.to, 1 - Math.floor(days / 2))
      list.push({
        wish: { ...w, from, to: span.to },
        words: `Only the later half of the time: ${rangeText(from, span.to)}`,
      })
    }
  }
  if (w.athletes.length > 1) {
    const half = Math.floor(w.athletes.length / 2)
    list.push({
      wish: { ...w, athletes: w.athletes.slice(0, half) },
      words: `Only the first ${half === 1 ? '' : `${half} `}of ${w.athletes.length} athletes`,
    })
  }
  if (w.rows === 'all') list.push({ wish: { ...w, rows: 'first' }, words: 'Only the first frame of each capture' })
  return list
}
