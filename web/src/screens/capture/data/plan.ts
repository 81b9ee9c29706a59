// Which calls bring the rows of some columns: each within what the interface gives
// in one call, the rows that are needed first at the front.

/** What the interface gives in one call at most. */
export const valuesPerCall = 1_000_000

/** Numbers that the screen holds of one recording at most: 256 MiB. */
export const valuesHeld = 64 << 20

/** Below so many numbers a coarse first look would only cost time. */
const coarseAbove = 600_000
const coarseValues = 150_000

export interface Call {
  from: number
  to: number
  every: number
}

export interface Plan {
  stride: number // only every n-th row is ever loaded: the step but for enormous recordings
  coarse: Call | null // a first look at everything
  calls: Call[] // the rest, in the order of rows
}

/** How every step-th row is brought. */
export function plan(rows: number, columns: number, step = 1): Plan {
  if (rows === 0 || columns === 0) return { stride: step, coarse: null, calls: [] }
  const stride = step * Math.max(1, Math.ceil((Math.ceil(rows / step) * columns) / valuesHeld))
  const kept = Math.ceil(rows / stride)
  const most = Math.max(1, Math.floor(valuesPerCall / columns))
  // As many as there must be, all alike: a last one for a row would be awaited as long.
  const perCall = Math.ceil(kept / Math.ceil(kept / most))
  const calls: Call[] = []
  for (let from = 0; from < kept; from += perCall) {
    calls.push({ from: from * stride, to: Math.min(rows, (from + perCall) * stride), every: stride })
  }
  let coarse: Call | null = null
  if (kept * columns > coarseAbove) {
    const least = Math.ceil((kept * columns) / coarseValues)
    coarse = { from: 0, to: rows, every: stride * least }
  }
  return { stride, coarse, calls }
}
