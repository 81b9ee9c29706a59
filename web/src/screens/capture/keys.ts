// The keys of the screen: Space plays, arrows step, with Shift they turn the camera.

import { useEffect, useRef } from 'preact/hooks'

import { toEvent, type Leap } from './leap'
import type { Player } from './player'

export interface Actions {
  around: (x: number, y: number) => void
  nearer: (factor: number) => void
  labels: () => void
  fullscreen: () => void
  home: () => void
}

const turn = Math.PI / 24
const tenFrames = 10

/** Whether the element that has the focus wants the key for itself. */
function own(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('dialog')) return true
  if (target instanceof HTMLInputElement && target.type === 'range')
    return key.startsWith('Arrow') || key === 'Home' || key === 'End' || key.startsWith('Page')
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return key === ' '
  if (target.matches('input, textarea, select, [contenteditable]')) return true
  return key === ' ' && target.matches('button, a, summary, [role="button"]')
}

/** useKeys listens for the keys of the screen. events are where , and . lead. */
export function useKeys(player: Player, events: readonly Leap[], actions: Actions): void {
  const now = useRef({ actions, events })
  now.current = { actions, events }
  useEffect(() => {
    const listen = (e: KeyboardEvent) => {
      if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || own(e.target, e.key)) return
      if (!act(e, player, now.current.events, now.current.actions)) return
      e.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [player])
}

function act(e: KeyboardEvent, player: Player, events: readonly Leap[], to: Actions): boolean {
  if (e.shiftKey && e.key.startsWith('Arrow')) {
    to.around({ ArrowLeft: -turn, ArrowRight: turn }[e.key] ?? 0, { ArrowUp: turn, ArrowDown: -turn }[e.key] ?? 0)
    return true
  }
  switch (e.key) {
    case ' ':
      player.toggle()
      return true
    case 'ArrowLeft':
      player.step(-1)
      return true
    case 'ArrowRight':
      player.step(1)
      return true
    case 'j':
    case 'J':
      player.step(-tenFrames)
      return true
    case 'l':
    case 'L':
      player.step(tenFrames)
      return true
    case ',':
    case '.':
      return toEvent(player, events, e.key === ',' ? -1 : 1)
    case 'Home':
      player.pause()
      player.seek(0)
      return true
    case 'End':
      player.pause()
      player.seek(player.clock.rows - 1)
      return true
    case '+':
    case '=':
      to.nearer(1 / 1.15)
      return true
    case '-':
      to.nearer(1.15)
      return true
    case 'n':
    case 'N':
      to.labels()
      return true
    case 'f':
    case 'F':
      to.fullscreen()
      return true
    case '0':
      to.home()
      return true
  }
  return false
}
