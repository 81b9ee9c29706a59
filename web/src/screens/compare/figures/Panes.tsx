// The scenes of two figures: one for both, or one for each with one camera.

import { useEffect, useRef, useState } from 'preact/hooks'
import { Camera } from '../../capture/Camera'
import { toggleFullscreen } from '../../capture/fullscreen'
import { useKeys } from '../../capture/keys'
import type { Leap } from '../../capture/leap'
import type { Loop } from '../../capture/loop'
import { useMedia } from '../../capture/media'
import type { Player } from '../../capture/player'
import { usePointer } from '../../capture/pointer'
import { usePrinted } from '../../capture/printed'
import { dark, light } from '../../capture/scene/colours'
import type { View } from '../../capture/scene/view'
import { cameraText, note, seenOf } from '../../capture/seen'
import { metres } from '../../capture/words'
import type { Figures } from '../address'
import type { Posed } from './posed'
import { extentTogether, hiddenOf, recordingTogether } from './stage'

interface Props {
  posed: readonly Posed[]
  figures: Figures
  player: Player
  loop: Loop
  events: readonly Leap[]
}

type Ref<T> = { current: T | null }

interface Pane {
  view: Ref<View>
  canvas: Ref<HTMLCanvasElement>
  over: Ref<HTMLCanvasElement>
  paper: Ref<HTMLCanvasElement>
}

function usePane(): Pane {
  const pane = {
    view: useRef<View | null>(null),
    canvas: useRef<HTMLCanvasElement | null>(null),
    over: useRef<HTMLCanvasElement | null>(null),
    paper: useRef<HTMLCanvasElement | null>(null),
  }
  usePrinted(pane)
  return pane
}

/** Panes draws figures for as long as they are laid so. */
export function Panes({ posed, figures, player, loop, events }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [first, second] = [usePane(), usePane()]
  const panes = figures.lay === 'side' ? [first, second] : [first]
  const groups = figures.lay === 'side' ? posed.map((_, i) => [i]) : [[0, 1]]
  /** The scene whose camera the other one follows: the one that was touched last. */
  const lead = useRef<View | null>(null)
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const [ready, setReady] = useState(false)
  const [missing, setMissing] = useState<string | null>(null)
  const [cell, setCell] = useState(0)
  const [follow, setFollow] = useState(false)

  useEffect(() => {
    let gone = false
    const stops: (() => void)[] = []
    void (async () => {
      try {
        const { View } = await import('../../capture/scene/view')
        if (gone) return
        const extent = extentTogether(posed, player.clock)
        const views = panes.map((pane, i) => {
          const own = groups[i]!.map((n) => posed[n]!)
          const recording = recordingTogether(own, extent)
          const sheet = pane.canvas.current!
          const view = new View(sheet, pane.over.current!, recording, '+y', isDark ? dark : light, !still)
          pane.view.current = view
          view.hide(hiddenOf(own))
          view.wanted = loop.want
          const fit = () => {
            const { width, height } = sheet.getBoundingClientRect()
            view.resize(width, height, devicePixelRatio)
          }
          fit()
          const observer = new ResizeObserver(fit)
          observer.observe(sheet)
          stops.push(() => observer.disconnect())
          return view
        })
        let last = NaN
        const show = (row: number) => {
          const time = player.timeOf(row)
          for (const p of posed) p.show(p.moment + time)
          for (const v of views) v.show(0, !(Math.abs(row - last) <= 20))
          last = row
        }
        show(player.row)
        const one = views[0]!
        lead.current = one
        const seen = seenOf(new URLSearchParams(location.search))
        one.look('home')
        if (seen.camera) one.stand(seen.camera)
        for (const v of views) v.follow = one.follow
        setFollow(one.follow)
        for (const v of views) v.turned = () => note('camera', cameraText((lead.current ?? v).standing))
        stops.push(player.onRow(show))
        loop.attach(
          {
            draw: () => {
              const from = lead.current!
              const moving = from.draw()
              for (const v of views) {
                if (v === from) continue
                v.like(from)
                v.draw()
              }
              return moving
            },
          },
          () => performance.mark('figures-shown'),
        )
        setCell(one.cell)
        setReady(true)
      } catch (error) {
        if (!gone) setMissing(error instanceof Error && /webgl/i.test(error.message) ? 'webgl' : String(error))
      }
    })()
    return () => {
      gone = true
      for (const stop of stops) stop()
      loop.attach(null)
      for (const pane of panes) {
        pane.view.current?.dispose()
        pane.view.current = null
      }
    }
    // Whatever is laid otherwise has other panes: see the key.
  }, [posed, player, loop])

  const views = () => panes.flatMap((p) => p.view.current ?? [])
  useEffect(() => {
    const palette = isDark ? dark : light
    panes.forEach((pane, i) => {
      const colours = groups[i]!.flatMap((n) => posed[n]!.points.map(() => palette.subjects[n]!))
      pane.view.current?.paint(colours, palette)
    })
  }, [ready, isDark, posed])
  useEffect(() => {
    for (const v of views()) v.follow = follow
    loop.want()
  }, [ready, follow])

  useKeys(player, events, {
    around: (x, y) => lead.current?.nudge(x, y, 1),
    nearer: (factor) => lead.current?.nudge(0, 0, factor),
    labels: () => {
      for (const v of views()) v.allLabels = !v.allLabels
      loop.want()
    },
    fullscreen: () => toggleFullscreen(box.current),
    home: () => lead.current?.look('home'),
  })
  const pointers = [usePointer(first.view, loop.want, () => {}), usePointer(second.view, loop.want, () => {})]

  if (missing !== null)
    return (
      <p class="stage-keys" role="status">
        {missing === 'webgl'
          ? 'This browser shows no 3D (WebGL is missing or switched off). The times of both figures and everything else work.'
          : `The figures could not be shown: ${missing}.`}
      </p>
    )
  const touched = (pane: Pane) => {
    if (pane.view.current) lead.current = pane.view.current
  }
  return (
    <div class="figures-panes" ref={box}>
      {panes.map((pane, i) => {
        const names = groups[i]!.map((n) => posed[n]!.source.name)
        return (
          <div
            key={i}
            class="stage-view"
            onPointerDownCapture={() => touched(pane)}
            onWheelCapture={() => touched(pane)}
          >
            <canvas
              ref={pane.canvas}
              class="stage-canvas"
              role="img"
              aria-label={`3D view of ${names.join(' and ')}. Drag to turn, or hold Shift and use the arrow keys.`}
              {...pointers[i]}
            />
            <canvas ref={pane.over} class="stage-over" aria-hidden="true" />
            <canvas ref={pane.paper} class="stage-print only-print" aria-hidden="true" />
            {panes.length > 1 && (
              <p class="figures-name" dir="auto">
                {names[0]}
              </p>
            )}
            {ready && i === 0 && (
              <>
                <Camera view={lead} player={player} up={null} chosen={-1} follow={follow} setFollow={setFollow} />
                {cell > 0 && (
                  <p class="stage-scale">
                    {posed[0]!.source.motion.metres > 0
                      ? `A square is ${metres(cell)}`
                      : `A square is ${cell} in the files’ own unit`}
                  </p>
                )}
              </>
            )}
          </div>
        )
      })}
    </div>
  )
}
