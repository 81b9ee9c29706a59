// The scene of a recording for as long as it is looked at.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useMedia } from '../media'
import { cameraText, note, seenOf } from '../seen'
import type { Loop } from '../loop'
import type { Player } from '../player'
import type { Store } from '../data/store'
import type { Platforms } from '../forces'
import type { Bone } from '../skeleton/bones'
import type { Channel, Motion } from '../types'
import { dark, light } from './colours'
import { recordingOf } from './points'
import type { Up } from './up'
import type { View } from './view'

/** Scene is a view, once there is one, and what is known of it. */
export interface Scene {
  view: { current: View | null }
  /** Which canvas it is on: a view that ends takes its canvas along. */
  sheet: number
  ready: boolean
  /** Why there is no view: 'webgl' where the browser has none. */
  missing: string | null
  up: Up | null
  found: Up | null
  /** The size of a square of the floor, in the unit of the recording. */
  cell: number
  follow: boolean
  setFollow: (on: boolean) => void
  turnUp: (to: Up) => void
}

interface Wanted {
  motion: Motion
  points: Channel[]
  bones: Bone[]
  store: Store | null
  platforms: Platforms
  player: Player
  loop: Loop
  shown: () => void
  canvas: { current: HTMLCanvasElement | null }
  over: { current: HTMLCanvasElement | null }
}

let sheets = 0 // canvases that there have been

export function useScene({
  motion,
  points,
  bones,
  store,
  platforms,
  player,
  loop,
  shown,
  canvas,
  over,
}: Wanted): Scene {
  const view = useRef<View | null>(null)
  const storeNow = useRef(store)
  storeNow.current = store
  const forcesNow = useRef(platforms)
  forcesNow.current = platforms
  const bonesNow = useRef(bones)
  bonesNow.current = bones
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const [ready, setReady] = useState(false)
  const [missing, setMissing] = useState<string | null>(null)
  const [up, setUp] = useState<Up | null>(null)
  const [found, setFound] = useState<Up | null>(null)
  const [follow, setFollow] = useState(false)
  const [cell, setCell] = useState(0)

  const begun = store !== null
  const sheet = useMemo(() => ++sheets, [begun, motion, points, player, loop])
  useEffect(() => {
    if (!begun || !canvas.current || !over.current) return
    let gone = false
    let observer: ResizeObserver | null = null
    const stops: (() => void)[] = []
    void (async () => {
      try {
        const { View } = await import('./view')
        const rows = storeNow.current // null once another recording is awaited: then this scene is about to end
        if (gone || !rows || !canvas.current || !over.current) return
        const { recording, up } = recordingOf(motion, points, rows, bonesNow.current)
        const sheet = canvas.current
        const one = new View(sheet, over.current, recording, up, isDark ? dark : light, !still)
        view.current = one
        setFound(up)
        setUp(up)
        setCell(one.cell)
        const show = (row: number) => {
          const at = storeNow.current?.nearest(row) ?? -1
          if (at >= 0) one.show(at)
          one.press(forcesNow.current.stores[0]?.nearest(row) ?? -1)
        }
        const fit = () => {
          const box = sheet.getBoundingClientRect()
          one.resize(box.width, box.height, devicePixelRatio)
        }
        // In full screen there is no page that would have to scroll.
        const whole = () => one.touch(document.fullscreenElement?.contains(sheet) ?? false)
        document.addEventListener('fullscreenchange', whole)
        stops.push(() => document.removeEventListener('fullscreenchange', whole))
        fit()
        show(player.row)
        one.look('home')
        const seen = seenOf(new URLSearchParams(location.search))
        if (seen.up) {
          one.setUp(seen.up)
          setUp(seen.up)
          setCell(one.cell)
        }
        if (seen.camera) one.stand(seen.camera)
        setFollow(one.follow)
        one.wanted = loop.want
        const noteCamera = () => note('camera', cameraText(one.standing))
        one.turned = noteCamera
        // A camera that follows stands elsewhere in another frame.
        stops.push(player.onRow(() => !player.playing && one.follow && noteCamera()))
        stops.push(player.onRow(show))
        observer = new ResizeObserver(fit)
        observer.observe(sheet)
        loop.attach(one, () => {
          performance.mark('capture-shown')
          shown()
        })
        setReady(true)
        if (!still && seen.frame === null) player.play()
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

  // Sets of bones come after the points too, or somebody changes them.
  useEffect(() => view.current?.join(bones), [ready, bones])

  // Forces come after the points, and are drawn from then on.
  useEffect(() => {
    if (!ready || !view.current) return
    view.current.measure(platforms.stores.map((s) => s.columns))
    view.current.press(platforms.stores[0]?.nearest(player.row) ?? -1)
  }, [ready, platforms])

  const turnUp = (to: Up) => {
    setUp(to)
    note('up', to)
    view.current?.setUp(to)
    setCell(view.current?.cell ?? 0)
    loop.want()
  }
  return { view, sheet, ready, missing, up, found, cell, follow, setFollow, turnUp }
}
