// The rows of the scene's points, loaded part by part.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Problem } from '../../api/problem'
import { address, fetched } from '../../api/request'
import { load, type Fetch } from './data/load'
import type { Store } from './data/store'
import { pointsOf } from './scene/points'
import type { Motion } from './types'

/** How often what the server has no time for is asked again. */
const tries = 4

/**
 * So long at most the rest waits until the first rows are shown, in milliseconds: a page that is hidden draws nothing.
 */
const patience = 1_000

/** framesOf asks for rows of a capture; a server that is busy is asked again when it says. */
export function framesOf(id: string): Fetch {
  return async (query, accept, signal) => {
    for (let n = 1; ; n++) {
      try {
        const answer = await fetched(
          `${address('/captures/{captureId}/frames', { path: { captureId: id } })}?${query}`,
          { headers: { Accept: accept }, signal },
        )
        return await answer.arrayBuffer()
      } catch (thrown) {
        const problem = Problem.from(thrown)
        if (signal.aborted || !problem.passing || n === tries) throw thrown
        await new Promise((go) => setTimeout(go, 1000 * (problem.retryAfter ?? n)))
      }
    }
  }
}

export interface Loaded {
  store: Store | null
  rows: number // how many are there: what tells that more have come
  problem: Problem | null
  again: () => void
  shown: () => void // to be called when the first rows are on the screen
}

/**
 * What is loaded of a recording: its points. Without them there is nothing to show, but rows that are not evenly
 * spaced have their times beside any numbers.
 */
function columnsOf(motion: Motion): string[] {
  const points = pointsOf(motion)
  if (points.length > 0 || motion.even) return points.flatMap((c) => c.columns)
  return motion.channels.slice(0, 1).flatMap((c) => c.columns.slice(0, 1))
}

/** useFrames loads the places of all points of a recording, and the times of its rows. */
export function useFrames(id: string, motion: Motion | undefined): Loaded {
  const names = useMemo(() => (motion ? columnsOf(motion) : []), [motion])
  const [state, set] = useState<{ of: Motion | undefined; store: Store | null; rows: number; problem: Problem | null }>(
    { of: undefined, store: null, rows: 0, problem: null },
  )
  const [round, again] = useState(0)
  const shown = useRef(() => {})
  useEffect(() => {
    if (!motion || motion.frames === 0 || names.length === 0) return
    const stop = new AbortController()
    const seen = new Promise<void>((go) => {
      shown.current = go
      setTimeout(go, patience)
    })
    set({ of: motion, store: null, rows: 0, problem: null })
    const all = motion.channels.reduce((n, c) => n + c.columns.length, 0)
    load(
      framesOf(id),
      { names, everything: names.length === all, rows: motion.frames, samples: false },
      stop.signal,
      (store) => {
        if (stop.signal.aborted) return
        set({ of: motion, store, rows: store.loaded, problem: null })
        if (store.complete) performance.mark('capture-loaded')
      },
      seen,
    ).catch((thrown: unknown) => {
      if (!stop.signal.aborted) set((s) => ({ ...s, problem: Problem.from(thrown) }))
    })
    return () => stop.abort()
  }, [id, motion, names, round])
  const fits = state.of === motion
  return {
    store: fits ? state.store : null,
    rows: fits ? state.rows : 0,
    problem: fits ? state.problem : null,
    again: () => again((n) => n + 1),
    shown: () => shown.current(),
  }
}
