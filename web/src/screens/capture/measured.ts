// What was computed of a recording comes after the recording itself: right after a correction there is nothing yet.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Query } from '../../api/query'
import type { Motion } from './types'

/** Says whether a recording is being measured still. */
export const pending = (computed: Motion['computed']) => computed === null || computed.reason?.code === 'pending'

/** How long is waited before each look, in milliseconds: what has not come after all of them comes when somebody asks. */
export const waits = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000]

export interface Measuring {
  /** Nothing is computed yet. */
  missing: boolean
  /** The page requests the result by itself. */
  waiting: boolean
  /** Looks at once, and then as often as at first. */
  again: () => void
}

/** useMeasuring looks for what is computed of a recording until it is there, ever more rarely, and then no more. */
export function useMeasuring(motion: Query<Motion>): Measuring {
  const missing = motion.data !== undefined && motion.data.frames > 0 && pending(motion.data.computed)
  const [looks, set] = useState(0)
  const ready = missing && !motion.loading && motion.problem === null
  useEffect(() => {
    if (!missing) set(0)
  }, [missing])
  useEffect(() => {
    const wait = waits[looks]
    if (!ready || wait === undefined) return
    const timer = setTimeout(() => {
      set(looks + 1)
      motion.refresh()
    }, wait)
    return () => clearTimeout(timer)
  }, [ready, looks])
  const again = useCallback(() => {
    set(0)
    motion.refresh()
  }, [motion.refresh])
  return { missing, waiting: missing && looks < waits.length, again }
}

/**
 * useRecorded is the motion as the scene and the plots have it: it stays the same object while nothing changes but what
 * was computed, so that neither is made again.
 */
export function useRecorded(motion: Motion | undefined): Motion | undefined {
  const kept = useRef<{ motion: Motion; text: string } | null>(null)
  if (motion === undefined || motion === kept.current?.motion) return motion
  const text = JSON.stringify({ ...motion, computed: null })
  if (text !== kept.current?.text) kept.current = { motion, text }
  return kept.current?.motion
}
