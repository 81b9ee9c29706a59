import type { Client } from 'openapi-fetch'

import type { paths } from './schema.js'

/** FrameQuery says which part of a recording is asked for; all of it without one. */
export interface FrameQuery {
  /** Names of channels or columns; * stands for any characters. */
  channels?: string | readonly string[]
  /** The first row, from 0. */
  from?: number
  /** The first row that is left out. */
  to?: number
  /** Every n-th row. */
  every?: number
}

/** Frames are rows of a recording, column by column. A value that is missing is NaN. */
export interface Frames {
  rate: number | null
  /** Beside the columns that were asked for: frame, and time in seconds. */
  columns: Record<string, Float64Array>
}

/** Part is the query of one answer. */
type Part = Omit<FrameQuery, 'channels'> & { channels?: string }

/** framesOf gives the frames of a capture. */
export async function framesOf(api: Client<paths>, id: string, query: FrameQuery, most?: number): Promise<Frames> {
  const path = { captureId: id }
  const { data: motion } = await api.GET('/captures/{captureId}/motion', { params: { path } })
  const ask = async (part: Part) =>
    (await api.GET('/captures/{captureId}/frames', { params: { path, query: part } })).data
  return framesBy(motion!.frames, query, ask, most)
}

/** framesBy asks for as many rows of a recording at a time as one answer has room for: a million values. */
export async function framesBy(
  frames: number,
  query: FrameQuery,
  ask: (part: Part) => Promise<unknown>,
  most = 1_000_000,
): Promise<Frames> {
  const { channels, ...rows } = query
  const named = channels === undefined ? {} : { channels: typeof channels === 'string' ? channels : channels.join(',') }
  const part = async (from: number, to: number | undefined) => {
    const said = await ask({ ...rows, ...named, from, ...(to === undefined ? {} : { to }) })
    return said as { rate: number | null; columns: Record<string, (number | null)[]> }
  }
  const every = query.every ?? 1
  const first = query.from ?? 0
  const end = Math.min(query.to ?? Number.POSITIVE_INFINITY, frames)
  const head = await part(first, Math.min(end, first + 1))
  const step = Math.max(1, Math.floor(most / Object.keys(head.columns).length)) * every
  const parts = [head]
  for (let from = first + every; from < end; from += step) parts.push(await part(from, Math.min(end, from + step)))
  const columns: Record<string, Float64Array> = {}
  for (const name of Object.keys(head.columns)) {
    const values = parts.flatMap((p) => p.columns[name] ?? [])
    columns[name] = Float64Array.from(values, (v) => v ?? Number.NaN)
  }
  return { rate: head.rate, columns }
}
