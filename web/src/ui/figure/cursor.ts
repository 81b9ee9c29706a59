// The place in a figure that somebody points at, by the pointer or by keys.

import { useState } from 'preact/hooks'
import type { Figure } from './figure'

/** A press of an arrow key goes so far, as a part of the width; with Shift ten times as far. */
const step = 0.01

/**
 * useCursor is the value along x that is pointed at, null for none, and what a figure listens to for it. The value is a
 * multiple of every, or any with null.
 */
export function useCursor(f: Figure, every: number | null = null) {
  const [at, set] = useState<number | null>(null)
  const span = f.x[1] - f.x[0]
  const within = (v: number) => Math.max(f.x[0], Math.min(f.x[1], every === null ? v : Math.round(v / every) * every))
  const onPointerMove = (e: PointerEvent) => {
    const box = (e.currentTarget as Element).getBoundingClientRect()
    const part = (e.clientX - box.left - f.left) / (f.right - f.left)
    set(part < -0.02 || part > 1.02 ? null : within(f.x[0] + part * span))
  }
  const onKeyDown = (e: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
    const end = { Home: f.x[0], End: f.x[1] }[e.key]
    if (e.key === 'Escape') return set(null)
    if (by === undefined && end === undefined) return
    e.preventDefault()
    // Keys that are held down come faster than the page is drawn: each goes on from where the last one led.
    const one = Math.max(span * step, every ?? 0)
    set((old) => end ?? within((old ?? (by === 1 ? f.x[0] - one : f.x[1] + one)) + by! * one * (e.shiftKey ? 10 : 1)))
  }
  return { at: at === null ? null : within(at), on: { onPointerMove, onKeyDown, onPointerLeave: () => set(null) } }
}
