// The rows of a list that somebody has chosen, on any of its pages.

import { useRef, useState } from 'preact/hooks'
import type { Capture } from './rows'

export interface Choice {
  /** The captures that are chosen, by their ids, in the order of choosing. */
  chosen: ReadonlyMap<string, Capture>
  /** Chooses a capture, or no more; with range all between it and the one before become as it does. */
  toggle: (page: readonly Capture[], c: Capture, range: boolean) => void
  /** Chooses captures, or none of them. */
  all: (captures: readonly Capture[], on: boolean) => void
  /** Takes over what a list says newly of captures that are chosen. */
  renew: (captures: readonly Capture[]) => void
  clear: () => void
}

/** between is the rows of a page from one capture to another, both included; the second alone where the first is not there. */
export function between<C extends { session_id: string }>(page: readonly C[], from: string | null, to: string): C[] {
  const [a, b] = [page.findIndex((c) => c.session_id === from), page.findIndex((c) => c.session_id === to)]
  return page.slice(a < 0 ? b : Math.min(a, b), Math.max(a, b) + 1)
}

/** useChoice begins with nothing chosen. */
export function useChoice(): Choice {
  const [chosen, set] = useState<ReadonlyMap<string, Capture>>(new Map())
  const before = useRef<string | null>(null)
  const all = (captures: readonly Capture[], on: boolean) =>
    set((old) => {
      const next = new Map(old)
      for (const c of captures) {
        if (!on) next.delete(c.session_id)
        else if (!next.has(c.session_id)) next.set(c.session_id, c)
      }
      return next
    })
  return {
    chosen,
    all,
    toggle: (page, c, range) => {
      all(range ? between(page, before.current, c.session_id) : [c], !chosen.has(c.session_id))
      before.current = c.session_id
    },
    renew: (captures) =>
      set((old) => {
        const newer = captures.filter((c) => old.has(c.session_id))
        return newer.length === 0 ? old : new Map([...old, ...newer.map((c) => [c.session_id, c] as const)])
      }),
    clear: () => set(new Map()),
  }
}
