// Doing the same with many captures: how far it is, and what failed by reason.

import { useEffect, useRef, useState } from 'preact/hooks'
import { inTurn, patient } from '../../../api/in-turn'
import { Problem } from '../../../api/problem'
import type { Capture } from '../rows'

/** More at a time would only wait for each other in the server. */
const atATime = 4

/** Run is how far it is with many captures. */
export interface Run {
  all: number
  done: Capture[]
  /** What failed, by the sentence that says why. */
  failed: Map<string, Capture[]>
  /** Nothing more is under way. */
  ended: boolean
}

/** countOf is how many have been tried. */
export function countOf(r: Run): number {
  return r.done.length + failedOf(r).length
}

/** failedOf is the captures that failed. */
export function failedOf(r: Run): Capture[] {
  return [...r.failed.values()].flat()
}

/** useRun does something with each of some captures once begun; stop ends it after those that are under way. */
export function useRun(act: (c: Capture, signal: AbortSignal) => Promise<void>) {
  const [run, set] = useState<Run | null>(null)
  const stop = useRef(new AbortController())
  // What is closed goes no further, but what was sent is sent.
  useEffect(() => () => stop.current.abort(), [])
  const begin = async (captures: readonly Capture[]) => {
    stop.current = new AbortController()
    const { signal } = stop.current
    const r: Run = { all: captures.length, done: [], failed: new Map(), ended: false }
    const tell = () => set({ ...r })
    tell()
    await inTurn(
      captures,
      atATime,
      async (c) => {
        try {
          await patient(() => act(c, signal), signal)
          r.done.push(c)
        } catch (thrown) {
          const why = Problem.from(thrown).message
          r.failed.set(why, [...(r.failed.get(why) ?? []), c])
        }
        tell()
      },
      signal,
    )
    r.ended = true
    tell()
    return r
  }
  return { run, begin, stop: () => stop.current.abort() }
}
