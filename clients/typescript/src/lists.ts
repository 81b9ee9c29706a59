// Lists, page by page.
import type { Client } from 'openapi-fetch'

import { rows } from './pages.js'
import type { paths } from './schema.js'
import type { Athlete, Capture, ChangePage, ColumnUse, MeasuredCapture, Query } from './types.js'

/** A limit is of one page; the iterator goes through all of them. */
export type CaptureFilter = Query<'/captures'>
export type AthleteFilter = Query<'/athletes'>
export type MetricsFilter = Query<'/athletes/{athleteId}/metrics'>
export type ColumnFilter = Query<'/columns'>
export type ChangeFilter = Query<'/changes'>

const whole = 500 // rows of a page

export function captures(api: Client<paths>, filter: CaptureFilter): AsyncGenerator<Capture, void> {
  const include = [...new Set([...(filter.include ?? []), 'next' as const])]
  return rows(filter.offset ?? 0, async (offset) => {
    const { data } = await api.GET('/captures', { params: { query: { limit: whole, ...filter, offset, include } } })
    return { rows: data!.captures, next: data!.next_offset }
  })
}

export function athletes(api: Client<paths>, filter: AthleteFilter): AsyncGenerator<Athlete, void> {
  return rows(filter.offset ?? 0, async (offset) => {
    const { data } = await api.GET('/athletes', { params: { query: { limit: whole, ...filter, offset } } })
    return { rows: data!.athletes, next: data!.next_offset }
  })
}

export function metrics(
  api: Client<paths>,
  athleteId: string,
  filter: MetricsFilter,
): AsyncGenerator<MeasuredCapture, void> {
  return rows(filter.offset ?? 0, async (offset) => {
    const params = { path: { athleteId }, query: { limit: whole, ...filter, offset } }
    const { data } = await api.GET('/athletes/{athleteId}/metrics', { params })
    return { rows: data!.captures, next: data!.next_offset }
  })
}

export function columns(api: Client<paths>, filter: ColumnFilter): AsyncGenerator<ColumnUse, void> {
  return rows(filter.offset ?? 0, async (offset) => {
    const { data } = await api.GET('/columns', { params: { query: { limit: whole, ...filter, offset } } })
    return { rows: data!.columns, next: data!.next_offset }
  })
}

export async function* changes(api: Client<paths>, filter: ChangeFilter): AsyncGenerator<ChangePage, void> {
  for (let after = filter.after; ; ) {
    const { data } = await api.GET('/changes', { params: { query: { ...filter, ...(after ? { after } : {}) } } })
    yield data!
    after = data!.cursor
    if (!data!.more && !filter.wait) return
  }
}
