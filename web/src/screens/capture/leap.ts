// From event to event.

import type { Player } from './player'
import type { MotionEvent } from './types'

/** Leap is an event that can be gone to. */
export type Leap = Pick<MotionEvent, 'frame'>

/** nextEvent is the frame of the event nearest before a frame (way -1) or behind it (1); null where there is none. */
export function nextEvent(events: readonly Leap[], row: number, way: -1 | 1): number | null {
  const frames = events.flatMap((e) => (e.frame !== null && (e.frame - row) * way > 0 ? [e.frame] : []))
  if (frames.length === 0) return null
  return way > 0 ? Math.min(...frames) : Math.max(...frames)
}

/** toEvent shows the next or the previous event, and stops there; false where there are no events at all. */
export function toEvent(player: Player, events: readonly Leap[], way: -1 | 1): boolean {
  if (events.length === 0) return false
  const frame = nextEvent(events, player.row, way)
  if (frame !== null) {
    player.pause()
    player.seek(frame)
  }
  return true
}
