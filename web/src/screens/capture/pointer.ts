// The mouse over the scene: a point is named when it is pointed at, and chosen by a click that is no drag.

import { useRef } from 'preact/hooks'
import type { View } from './scene/view'

/** So far a pointer may move between press and release of a click, in pixels. */
const slop = 4

interface Handlers {
  onPointerDown: (e: PointerEvent) => void
  onPointerMove: (e: PointerEvent) => void
  onPointerLeave: (e: PointerEvent) => void
  onClick: (e: MouseEvent) => void
}

/** usePointer gives the scene's canvas its listeners. choose is told the point that was clicked, -1 for none. */
export function usePointer(
  view: { current: View | null },
  want: () => void,
  choose: (point: number) => void,
): Handlers {
  const pressed = useRef<[number, number] | null>(null)
  const hover = (e: PointerEvent, point: (one: View) => number) => {
    const one = view.current
    if (!one || e.buttons !== 0) return
    const next = point(one)
    if (next === one.hover) return
    one.hover = next
    ;(e.currentTarget as HTMLElement).style.cursor = next >= 0 ? 'pointer' : 'grab'
    want()
  }
  return {
    onPointerDown: (e) => {
      pressed.current = [e.offsetX, e.offsetY]
    },
    onPointerMove: (e) => hover(e, (one) => one.pointAt(e.offsetX, e.offsetY)),
    onPointerLeave: (e) => hover(e, () => -1),
    onClick: (e) => {
      const from = pressed.current
      if (!view.current || !from || Math.hypot(e.offsetX - from[0], e.offsetY - from[1]) > slop) return
      choose(view.current.pointAt(e.offsetX, e.offsetY))
    },
  }
}
