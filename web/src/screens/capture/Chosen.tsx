// The chosen point: its name, and where it is.

import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Player } from './player'
import type { View } from './scene/view'
import type { Motion } from './types'

interface Props {
  name: string
  at: number
  motion: Motion
  view: { current: View | null }
  player: Player
  plot: (name: string) => void
  close: () => void
}

export function Chosen({ name, at, motion, view, player, plot, close }: Props) {
  const text = useRef<HTMLSpanElement>(null)
  // Before it is painted: the place of the last point must not stand beside the name of the next.
  useLayoutEffect(() => {
    let shown = 0
    const show = () => {
      // Digits that change sixty times a second can be read by nobody.
      if (player.playing && performance.now() - shown < 100) return
      shown = performance.now()
      if (!view.current || !text.current) return
      const place = view.current.placeOf(at)
      text.current.textContent = place
        ? ['x', 'y', 'z'].map((axis, i) => `${axis} ${place[i]!.toFixed(3)}`).join('  ') +
          (motion.metres > 0 ? ' m' : '')
        : 'not seen here'
    }
    show()
    return player.onRow(show)
  }, [at, player, motion])
  return (
    <div class="stage-chosen">
      <strong>{name}</strong>
      <span ref={text} />
      <button type="button" onClick={() => plot(name)}>
        Plot
      </button>
      <button type="button" aria-label="Choose no point" onClick={close}>
        ×
      </button>
    </div>
  )
}
