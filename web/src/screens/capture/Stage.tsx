// The scene with the controls of the player.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import type { Problem } from '../../api/problem'
import { ProblemBox } from '../../ui/problem'
import type { Store } from './data/store'
import type { Loop } from './loop'
import type { Player } from './player'
import { Camera } from './Camera'
import { Chosen } from './Chosen'
import { Controls } from './Controls'
import { useKeys } from './keys'
import { Options, type Looks } from './Options'
import { css, dark, light } from './scene/colours'
import { coloursOf, pointsOf } from './scene/points'
import { useScene } from './scene/use'
import type { Motion } from './types'
import { useMedia } from './media'
import { metres } from './words'

interface Props {
  motion: Motion
  store: Store | null // null until the first rows are there
  player: Player
  loop: Loop
  problem: Problem | null
  again: () => void
  shown: () => void // told when there is a first picture, or when there will be none
  plot: (name: string) => void
}

export function Stage({ motion, store, player, loop, problem, again, shown, plot }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const over = useRef<HTMLCanvasElement>(null)
  const points = useMemo(() => pointsOf(motion), [motion])
  const subjects = useMemo(() => [...new Set(points.map((p) => p.subject))], [points])
  const several = subjects.filter((s) => s !== null).length > 1
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const { view, sheet, ready, missing, up, found, bones, cell, follow, setFollow, turnUp } = useScene({
    motion,
    points,
    store,
    player,
    loop,
    shown,
    canvas,
    over,
  })

  const [looks, setLooks] = useState<Looks>({ labels: false, trail: 0, by: several ? 'subject' : 'side', chosen: -1 })
  const set = (more: Partial<Looks>) => setLooks((old) => ({ ...old, ...more }))
  const { labels, trail, by, chosen } = looks

  useEffect(() => {
    const palette = isDark ? dark : light
    view.current?.paint(coloursOf(points, by, palette), palette)
  }, [ready, by, isDark, points])

  useEffect(() => {
    const one = view.current
    if (!one) return
    one.allLabels = labels
    one.follow = follow
    one.chosen = chosen
    const rows = trail === 0 ? 0 : Math.max(1, Math.round((trail * (player.clock.rate ?? 30)) / (store?.stride ?? 1)))
    one.trail(chosen >= 0 ? [chosen] : points.map((_, i) => i).slice(0, 300), rows)
    loop.want()
  }, [ready, labels, follow, chosen, trail, points])

  useKeys(player, {
    around: (x, y) => view.current?.nudge(x, y, 1),
    nearer: (factor) => view.current?.nudge(0, 0, factor),
    labels: () => setLooks((old) => ({ ...old, labels: !old.labels })),
    fullscreen: () => toggleFullscreen(frame.current),
    home: () => view.current?.look('home'),
  })

  const drag = useRef<[number, number] | null>(null)
  const hover = (e: PointerEvent, leave = false) => {
    const one = view.current
    if (!one || e.buttons !== 0) return
    const next = leave ? -1 : one.pointAt(e.offsetX, e.offsetY)
    if (next === one.hover) return
    one.hover = next
    canvas.current!.style.cursor = next >= 0 ? 'pointer' : 'grab'
    loop.want()
  }
  const click = (e: MouseEvent) => {
    const one = view.current
    const from = drag.current
    if (!one || !from || Math.hypot(e.offsetX - from[0], e.offsetY - from[1]) > 4) return
    const at = one.pointAt(e.offsetX, e.offsetY)
    setLooks((old) => ({ ...old, chosen: at === old.chosen ? -1 : at }))
  }

  const what = `${points.length} ${points.length === 1 ? 'point' : 'points'}${bones > 0 ? ` and ${bones} bones` : ''}`
  return (
    <section class="stage" ref={frame} aria-label="Motion">
      <div class="stage-view">
        {missing === null ? (
          <>
            <canvas
              key={sheet}
              ref={canvas}
              class="stage-canvas"
              role="img"
              aria-label={`3D view of ${what}. Drag to turn, or hold Shift and use the arrow keys; the positions are listed under Point and in the plots.`}
              onPointerDown={(e) => (drag.current = [e.offsetX, e.offsetY])}
              onPointerMove={hover}
              onPointerLeave={(e) => hover(e, true)}
              onClick={click}
            />
            <canvas ref={over} class="stage-over" aria-hidden="true" />
            {!ready && !problem && (
              <p class="stage-note" role="status">
                Loading the motion…
              </p>
            )}
            {problem && (
              <div class="stage-note">
                <ProblemBox problem={problem} onRetry={again} />
              </div>
            )}
            {ready && (
              <Camera view={view} player={player} up={up} chosen={chosen} follow={follow} setFollow={setFollow} />
            )}
            {ready && cell > 0 && (
              <p class="stage-scale">
                A square is {motion.metres > 0 ? metres(cell) : `${cell} in the file’s own unit`}
              </p>
            )}
            {chosen >= 0 && (
              <Chosen
                key={chosen}
                name={points[chosen]!.name}
                at={chosen}
                motion={motion}
                view={view}
                player={player}
                plot={plot}
                close={() => set({ chosen: -1 })}
              />
            )}
          </>
        ) : (
          <p class="stage-note" role="status">
            {missing === 'webgl'
              ? 'This browser shows no 3D (WebGL is missing or switched off). The plots and everything else work.'
              : `The 3D view could not be shown: ${missing}. The plots and everything else work.`}
          </p>
        )}
      </div>
      <Controls player={player} loop={loop} store={store} fullscreen={() => toggleFullscreen(frame.current)} />
      {missing === null && (
        <Options
          motion={motion}
          points={points}
          several={several}
          looks={looks}
          set={set}
          up={up}
          found={found}
          turnUp={turnUp}
        />
      )}
      {missing === null && <Hints />}
      {several && by === 'subject' && (
        <ul class="stage-subjects" aria-label="Subjects">
          {subjects.slice(0, 12).map((s, i) => (
            <li key={s ?? ''}>
              <i style={{ background: css((isDark ? dark : light).subjects[i % 8]!) }} />
              {s ?? 'No subject'}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Hints say what keys and fingers do: those of the two that the device has. */
function Hints() {
  return (
    <>
      <p class="stage-keys with-mouse">
        <kbd>Space</kbd> plays, <kbd>←</kbd> <kbd>→</kbd> step, <kbd>Home</kbd> <kbd>End</kbd> go to the first and the
        last frame, <kbd>Shift</kbd> and arrows turn, <kbd>+</kbd> <kbd>−</kbd> zoom, <kbd>0</kbd> shows the whole,{' '}
        <kbd>N</kbd> names, <kbd>F</kbd> fills the screen
      </p>
      <p class="stage-keys with-fingers">
        One finger sideways turns, two fingers zoom and tilt; up and down scrolls the page
      </p>
    </>
  )
}

function toggleFullscreen(element: HTMLElement | null): void {
  if (document.fullscreenElement) void document.exitFullscreen()
  else void element?.requestFullscreen?.().catch(() => undefined)
}
