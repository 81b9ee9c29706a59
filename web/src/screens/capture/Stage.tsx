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
import { toggleFullscreen } from './fullscreen'
import { Hints } from './Hints'
import { useKeys } from './keys'
import type { Measure } from './measure/measure'
import { Options, type Looks } from './Options'
import type { Platforms } from './forces'
import { usePointer } from './pointer'
import { usePrinted } from './printed'
import { Scale } from './Scale'
import { dark, light } from './scene/colours'
import { coloursOf } from './scene/points'
import { rulersOf } from './scene/rulers'
import { useScene } from './scene/use'
import { outputsOf } from './skeleton/outputs'
import type { Bones } from './skeleton/use'
import { Subjects } from './Subjects'
import type { Channel, Motion, MotionEvent } from './types'
import { useMedia } from './media'

interface Props {
  motion: Motion
  points: Channel[]
  bones: Bones
  store: Store | null // null until the first rows are there
  platforms: Platforms
  events: readonly MotionEvent[]
  /** What is measured between the points. */
  measures: readonly Measure[]
  player: Player
  loop: Loop
  problem: Problem | null
  again: () => void
  shown: () => void // told when there is a first picture, or when there will be none
  plot: (name: string) => void
  /** Told which point is chosen; null for none. */
  picked: (name: string | null) => void
}

export function Stage({
  motion,
  points,
  bones,
  store,
  platforms,
  events,
  measures,
  player,
  loop,
  problem,
  again,
  shown,
  plot,
  picked,
}: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const over = useRef<HTMLCanvasElement>(null)
  const paper = useRef<HTMLCanvasElement>(null)
  // Where a model has put out all there is, there would be nothing to see without it.
  const outputs = useMemo(() => {
    const found = outputsOf(bones.points)
    return found.includes(false) ? found : found.map(() => false)
  }, [bones.points])
  const subjects = useMemo(() => [...new Set(points.map((p) => p.subject))], [points])
  const several = subjects.filter((s) => s !== null).length > 1
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const { view, sheet, ready, missing, up, found, cell, follow, setFollow, turnUp } = useScene({
    motion,
    points,
    bones: bones.drawn,
    store,
    platforms,
    player,
    loop,
    shown,
    canvas,
    over,
  })

  const [looks, setLooks] = useState<Looks>({
    labels: false,
    trail: 0,
    by: several ? 'subject' : 'side',
    chosen: -1,
    forces: true,
    outputs: false,
  })
  const set = (more: Partial<Looks>) => setLooks((old) => ({ ...old, ...more }))
  const { labels, trail, by, chosen, forces } = looks
  const hidden = useMemo(() => (looks.outputs ? [] : outputs), [looks.outputs, outputs])

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
    one.forced = forces
    const rows = trail === 0 ? 0 : Math.max(1, Math.round((trail * (player.clock.rate ?? 30)) / (store?.stride ?? 1)))
    const seen = points.flatMap((_, i) => (hidden[i] ? [] : [i]))
    one.trail(chosen >= 0 ? [chosen] : seen.slice(0, 300), rows)
    loop.want()
  }, [ready, labels, follow, chosen, trail, points, forces, platforms, hidden])

  useEffect(() => view.current?.hide(hidden), [ready, hidden])

  useEffect(() => {
    const names = points.map((p) => p.name)
    view.current?.rule(rulersOf(measures, names, motion.metres > 0))
  }, [ready, measures, points, motion])

  usePrinted({ view, canvas, over, paper })
  useEffect(() => picked(points[chosen]?.name ?? null), [chosen, points])

  useKeys(player, events, {
    around: (x, y) => view.current?.nudge(x, y, 1),
    nearer: (factor) => view.current?.nudge(0, 0, factor),
    labels: () => setLooks((old) => ({ ...old, labels: !old.labels })),
    fullscreen: () => toggleFullscreen(frame.current),
    home: () => view.current?.look('home'),
  })

  const pointer = usePointer(view, loop.want, (at) =>
    setLooks((old) => ({ ...old, chosen: at === old.chosen ? -1 : at })),
  )

  const seen = points.length - hidden.filter(Boolean).length
  const joined = bones.drawn.filter(([a, b]) => !hidden[a] && !hidden[b]).length
  const what = `${seen} ${seen === 1 ? 'point' : 'points'}${joined > 0 ? ` and ${joined} ${joined === 1 ? 'bone' : 'bones'}` : ''}`
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
              {...pointer}
            />
            <canvas ref={over} class="stage-over" aria-hidden="true" />
            <canvas ref={paper} class="stage-print only-print" aria-hidden="true" />
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
            {ready && <Scale motion={motion} cell={cell} platforms={forces ? platforms : null} />}
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
      <Controls
        player={player}
        events={events}
        loop={loop}
        store={store}
        fullscreen={() => toggleFullscreen(frame.current)}
      />
      {missing === null && (
        <Options
          motion={motion}
          points={points}
          outputs={outputs}
          several={several}
          looks={looks}
          forces={platforms.stores.length > 0}
          set={set}
          up={up}
          found={found}
          turnUp={turnUp}
        />
      )}
      {missing === null &&
        platforms.problems.map((p) => (
          <p key={p} class="stage-keys" role="status" dir="auto">
            A force is not drawn: {p}
          </p>
        ))}
      {missing === null && <Hints events={events.length > 0} />}
      {several && by === 'subject' && <Subjects names={subjects} palette={isDark ? dark : light} />}
    </section>
  )
}
