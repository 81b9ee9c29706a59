// The scene with the controls of the player.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'

import type { Problem } from '../../api/problem'
import { ProblemBox } from '../../ui/problem'
import type { Store } from './data/store'
import type { Loop } from './loop'
import type { Player } from './player'
import { Controls } from './Controls'
import { useKeys } from './keys'
import { css, dark, light } from './scene/colours'
import { coloursOf, pointsOf, recordingOf, type Colouring } from './scene/points'
import { ups, type Up } from './scene/up'
import type { View } from './scene/view'
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
  shown: () => void // told when there is a first picture, or none to be had
  plot: (name: string) => void
}

const trails: [number, string][] = [[0, 'Off'], [0.1, '0.1 s'], [0.25, '0.25 s'], [0.5, '0.5 s'], [1, '1 s'], [2, '2 s']]

let sheets = 0 // canvases that there have been

export function Stage({ motion, store, player, loop, problem, again, shown, plot }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const over = useRef<HTMLCanvasElement>(null)
  const view = useRef<View | null>(null)
  const storeNow = useRef(store)
  storeNow.current = store

  const points = useMemo(() => pointsOf(motion), [motion])
  const subjects = useMemo(() => [...new Set(points.map((p) => p.subject))], [points])
  const several = subjects.filter((s) => s !== null).length > 1
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const still = useMedia('(prefers-reduced-motion: reduce)')

  const [ready, setReady] = useState(false)
  const [missing, setMissing] = useState<string | null>(null)
  const [up, setUp] = useState<Up | null>(null)
  const [found, setFound] = useState<Up | null>(null)
  const [labels, setLabels] = useState(false)
  const [trail, setTrail] = useState(0)
  const [follow, setFollow] = useState(false)
  const [by, setBy] = useState<Colouring>(several ? 'subject' : 'side')
  const [chosen, setChosen] = useState(-1)
  const [bones, setBones] = useState(0)
  const [cell, setCell] = useState(0)

  const begun = store !== null
  // A view that ends takes its canvas along.
  const sheet = useMemo(() => ++sheets, [begun, motion, points, player, loop])
  useEffect(() => {
    if (!begun || !canvas.current || !over.current) return
    let gone = false
    let observer: ResizeObserver | null = null
    const stops: (() => void)[] = []
    void (async () => {
      try {
        const { View } = await import('./scene/view')
        if (gone || !canvas.current || !over.current || !frame.current) return
        const { recording, up } = recordingOf(motion, points, storeNow.current!)
        const sheet = canvas.current
        const one = new View(sheet, over.current, recording, up, isDark ? dark : light, !still)
        view.current = one
        setFound(up)
        setUp(up)
        setBones(recording.bones.length)
        setCell(one.cell)
        const show = (row: number) => {
          const at = storeNow.current?.nearest(row) ?? -1
          if (at >= 0) one.show(at)
        }
        const fit = () => {
          const box = sheet.getBoundingClientRect()
          one.resize(box.width, box.height, devicePixelRatio)
        }
        fit()
        show(player.row)
        one.look('home')
        setFollow(one.follow)
        one.wanted = loop.want
        stops.push(player.onRow(show))
        observer = new ResizeObserver(fit)
        observer.observe(sheet)
        loop.attach(one, () => {
          performance.mark('capture-shown')
          shown()
        })
        setReady(true)
        if (!still) player.play()
      } catch (error) {
        if (gone) return
        shown()
        setMissing(error instanceof Error && /webgl/i.test(error.message) ? 'webgl' : String(error))
      }
    })()
    return () => {
      gone = true
      observer?.disconnect()
      for (const stop of stops) stop()
      loop.attach(null)
      view.current?.dispose()
      view.current = null
      setReady(false)
    }
    // The scene is made once for a recording; what comes later is painted below.
  }, [begun, motion, points, player, loop])

  // More rows have come: what is shown may be nearer to what is asked for.
  useEffect(() => {
    const at = store?.nearest(player.row) ?? -1
    if (at >= 0) view.current?.show(at)
    loop.want()
  }, [store?.loaded])

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
    const rows = trail === 0 ? 0 : Math.max(1, Math.round((trail * (player.clock.rate ?? 30)) / (storeNow.current?.stride ?? 1)))
    one.trail(chosen >= 0 ? [chosen] : points.map((_, i) => i).slice(0, 300), rows)
    loop.want()
  }, [ready, labels, follow, chosen, trail, points])

  useKeys(player, {
    around: (x, y) => view.current?.nudge(x, y, 1),
    nearer: (factor) => view.current?.nudge(0, 0, factor),
    labels: () => setLabels((on) => !on),
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
    setChosen((old) => (at === old ? -1 : at))
  }

  const turnUp = (to: Up) => {
    setUp(to)
    view.current?.setUp(to)
    setCell(view.current?.cell ?? 0)
    loop.want()
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
            {!ready && !problem && <p class="stage-note" role="status">Loading the motion…</p>}
            {problem && <div class="stage-note"><ProblemBox problem={problem} onRetry={again} /></div>}
            {ready && (
              <div class="stage-looks" role="group" aria-label="Camera">
                {(['home', 'front', 'side', 'top'] as const).map((look) => (
                  <button type="button" key={look} onClick={() => view.current?.look(look)}>
                    {{ home: 'Whole', front: 'Front', side: 'Side', top: 'Top' }[look]}
                  </button>
                ))}
                <button type="button" aria-pressed={follow} onClick={() => setFollow(!follow)}>
                  Follow
                </button>
              </div>
            )}
            {ready && cell > 0 && <p class="stage-scale">A square is {motion.metres > 0 ? metres(cell) : `${cell} in the file’s own unit`}</p>}
            {chosen >= 0 && <Chosen key={chosen} name={points[chosen]!.name} at={chosen} motion={motion} view={view} player={player} plot={plot} close={() => setChosen(-1)} />}
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
        <div class="stage-options">
          <label>
            Trails
            <select value={trail} onChange={(e) => setTrail(Number(e.currentTarget.value))}>
              {trails.map(([seconds, name]) => (
                <option key={seconds} value={seconds}>{name}</option>
              ))}
            </select>
          </label>
          <label>
            Point
            <select value={chosen} onChange={(e) => setChosen(Number(e.currentTarget.value))}>
              <option value={-1}>None</option>
              {points.map((p, i) => (
                <option key={p.name} value={i}>{p.name}</option>
              ))}
            </select>
          </label>
          <label>
            Colours
            <select value={by} onChange={(e) => setBy(e.currentTarget.value as Colouring)}>
              <option value="side">Left and right</option>
              <option value="subject">{several ? 'Subjects' : 'One'}</option>
            </select>
          </label>
          <label>
            Up
            <select value={up ?? '+z'} onChange={(e) => turnUp(e.currentTarget.value as Up)}>
              {ups.map((axis) => (
                <option key={axis} value={axis}>{axis.toUpperCase()}{axis === found ? (motion.up === axis ? ' (file)' : ' (found)') : ''}</option>
              ))}
            </select>
          </label>
          <label class="check">
            <input type="checkbox" checked={labels} onChange={(e) => setLabels(e.currentTarget.checked)} /> Names
          </label>
        </div>
      )}
      {missing === null && (
        <p class="stage-keys">
          <kbd>Space</kbd> plays, <kbd>←</kbd> <kbd>→</kbd> step, <kbd>Home</kbd> <kbd>End</kbd> leap, <kbd>Shift</kbd> and arrows turn, <kbd>+</kbd> <kbd>−</kbd> zoom, <kbd>0</kbd> shows the whole, <kbd>N</kbd> names, <kbd>F</kbd> fills the screen
        </p>
      )}
      {several && by === 'subject' && (
        <ul class="stage-subjects" aria-label="Subjects">
          {subjects.slice(0, 12).map((s, i) => (
            <li key={s ?? ''}><i style={{ background: css((isDark ? dark : light).subjects[i % 8]!) }} />{s ?? 'No subject'}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

function toggleFullscreen(element: HTMLElement | null): void {
  if (document.fullscreenElement) void document.exitFullscreen()
  else void element?.requestFullscreen?.().catch(() => undefined)
}

interface ChosenProps {
  name: string
  at: number
  motion: Motion
  view: { current: View | null }
  player: Player
  plot: (name: string) => void
  close: () => void
}

/** Where the chosen point is. */
function Chosen({ name, at, motion, view, player, plot, close }: ChosenProps) {
  const text = useRef<HTMLSpanElement>(null)
  // Before it is painted: the place of the last point must not stand beside the name of the next.
  useLayoutEffect(() => {
    let shown = 0
    const show = () => {
      // Digits that change sixty times a second can be read by nobody.
      if (player.playing && performance.now() - shown < 100) return
      shown = performance.now()
      const p = view.current?.positions
      if (!p || !text.current) return
      const x = p[3 * at]!
      text.current.textContent =
        x > 1e18 ? 'not seen here' : ['x', 'y', 'z'].map((axis, i) => `${axis} ${p[3 * at + i]!.toFixed(3)}`).join('  ') + (motion.metres > 0 ? ' m' : '')
    }
    show()
    return player.onRow(show)
  }, [at, player, motion])
  return (
    <div class="stage-chosen">
      <strong>{name}</strong>
      <span ref={text} />
      <button type="button" onClick={() => plot(name)}>Plot</button>
      <button type="button" aria-label="Choose no point" onClick={close}>×</button>
    </div>
  )
}
