// Fingers on a plot: one goes along the time, two show more or less of it. Up and down
// is left to the page, which scrolls.

import { pinched, type Range } from './range'

export interface Touched {
  range: () => Range
  whole: Range
  zoom: (from: number, to: number) => void
  seek: (time: number) => void
}

const slop = 8 // pixels that a finger moves before it means something

/** Listens to fingers on a plot's own area until it is removed. */
export function touches(area: HTMLElement, on: Touched): void {
  const fingers = new Map<number, { from: number; now: number }>()
  let held: { ids: [number, number]; times: Range } | null = null
  const part = (x: number) => {
    const box = area.getBoundingClientRect()
    return (x - box.left) / Math.max(1, box.width)
  }
  const timeAt = (x: number) => {
    const [from, to] = on.range()
    return from + part(x) * (to - from)
  }
  const hold = () => {
    const [a, b] = [...fingers.entries()]
    held = a && b ? { ids: [a[0], b[0]], times: [timeAt(a[1].now), timeAt(b[1].now)] } : null
  }
  area.addEventListener('pointerdown', (e) => {
    if (e.pointerType !== 'touch') return
    fingers.set(e.pointerId, { from: e.clientX, now: e.clientX })
    hold()
  })
  area.addEventListener('pointermove', (e) => {
    const finger = fingers.get(e.pointerId)
    if (!finger) return
    finger.now = e.clientX
    if (held) {
      const [a, b] = held.ids.map((id) => part(fingers.get(id)!.now)) as Range
      on.zoom(...pinched(held.times, [a, b], on.whole))
    } else if (Math.abs(finger.now - finger.from) > slop) {
      finger.from = Infinity // from now on every pixel counts
      on.seek(timeAt(e.clientX))
    }
  })
  const gone = (e: PointerEvent) => {
    // A finger that stays goes on along the time only after it has moved again.
    if (!fingers.delete(e.pointerId)) return
    for (const finger of fingers.values()) finger.from = finger.now
    hold()
  }
  area.addEventListener('pointerup', gone)
  area.addEventListener('pointercancel', gone)
}
