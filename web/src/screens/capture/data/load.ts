// Loads the rows of columns by several calls at a time.

import { escapeName, framesType, parsePart } from './binary'
import { plan, type Call } from './plan'
import { Store } from './store'

/** How a part is asked for: the path behind the capture's own, and what is accepted. */
export type Fetch = (query: string, accept: string, signal: AbortSignal) => Promise<ArrayBuffer>

export interface Wanted {
  names: string[] // columns, in the order of the recording
  everything: boolean // these are all columns that there are
  rows: number // of the table: frames, or samples
  samples: boolean // a row a sample
  step?: number // only every n-th row is wanted
}

/** More at a time would only wait for each other in the server. */
const atATime = 3

/**
 * Loads all rows of the columns; what has come so far is told each time, with the
 * store that is being filled. After a first look at all of them the rest waits until
 * what was seen is shown: it would only compete for the time of the machine. Errors
 * are those of fetch.
 */
export async function load(
  fetch: Fetch,
  want: Wanted,
  signal: AbortSignal,
  told: (store: Store) => void,
  shown: Promise<void> = Promise.resolve(),
): Promise<Store> {
  const { stride, coarse, calls } = plan(want.rows, want.names.length, want.step)
  const store = new Store(want.names, want.rows, stride)
  const channels = want.everything ? '' : `&channels=${encodeURIComponent(want.names.map(escapeName).join(','))}`
  const ask = async (call: Call) => {
    const rows = `from=${call.from}&to=${call.to}&every=${call.every}${want.samples ? '&rows=samples' : ''}`
    store.add(parsePart(await fetch(rows + channels, framesType, signal)))
    told(store)
  }
  if (coarse) {
    await ask(coarse)
    await shown
  }
  let next = 0
  const worker = async () => {
    for (let call = calls[next++]; call; call = calls[next++]) await ask(call)
  }
  await Promise.all(Array.from({ length: atATime }, worker))
  return store
}
