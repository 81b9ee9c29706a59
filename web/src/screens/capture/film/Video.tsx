// The video of a capture, as it came; in step with the player where motion was made of it.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { address } from '../../../api/request'
import { load } from '../data/load'
import type { Store } from '../data/store'
import { framesOf } from '../frames'
import type { Player } from '../player'
import type { Bones } from '../skeleton/use'
import type { Motion } from '../types'
import { fitted, linesOf, type Landmark } from './over'
import { follow } from './together'

/** Shot is a video, and what of the motion is seen in it. */
export interface Shot {
  /** The capture of the video. */
  id: string
  name: string
  codec: string | null
  landmarks: readonly Landmark[]
  /** The column that says how many seconds its clock is ahead of the motion's; null where it is the same clock. */
  clock: string | null
}

export default function Video({
  id,
  motion,
  shot,
  bones,
  player,
  choice = null,
}: {
  /** The capture of the motion. */
  id: string
  motion: Motion
  shot: Shot
  bones: Bones
  /** The player whose time it shows; null where nothing moves, and it has controls of its own. */
  player: Player | null
  /** How another video is chosen. */
  choice?: ComponentChildren
}) {
  const [bad, setBad] = useState(false)
  const [loud, setLoud] = useState(false)
  const [drawn, setDrawn] = useState(true)
  const film = useRef<HTMLVideoElement>(null)
  const over = useRef<HTMLCanvasElement>(null)
  const { landmarks } = shot
  const store = useSeen(id, motion, shot)
  const ahead = shot.clock === null ? 0 : (store?.columns[store.places.get(shot.clock)!]?.[0] ?? null)
  useEffect(() => {
    const element = film.current
    if (!element || !player || bad || ahead === null) return
    const following = follow(player, element, ahead)
    element.addEventListener('seeked', following.again)
    element.addEventListener('loadedmetadata', following.again)
    return () => {
      following.end()
      element.removeEventListener('seeked', following.again)
      element.removeEventListener('loadedmetadata', following.again)
    }
  }, [player, bad, ahead, shot.id])
  useEffect(() => {
    const [canvas, element] = [over.current, film.current]
    if (!canvas || !element || !player || !store || !drawn) return
    // Where the element is, is asked for when that changes: to ask in each frame would have the page laid out in each.
    let place = placeOf(element)
    const draw = () => paint(canvas, element, place, linesOf(store, landmarks, bones.drawn, player.row))
    draw()
    const off = player.onRow(draw)
    const sized = new ResizeObserver(() => {
      place = placeOf(element)
      draw()
    })
    sized.observe(element)
    element.addEventListener('loadedmetadata', draw)
    return () => {
      off()
      sized.disconnect()
      element.removeEventListener('loadedmetadata', draw)
      canvas.width = 0
    }
  }, [player, store, landmarks, bones.drawn, drawn])
  useEffect(() => setBad(false), [shot.id])
  const source = address('/captures/{captureId}/file', { path: { captureId: shot.id } })
  return (
    <section class="card film" aria-labelledby="video-title">
      <h2 id="video-title">Video</h2>
      {bad ? (
        <p class="notice" role="status">
          This browser cannot play the video{shot.codec ? ` (${shot.codec})` : ''}. Download it, and another program
          can.
        </p>
      ) : (
        <div class="film-view">
          <video
            ref={film}
            class="video"
            controls={player === null}
            muted={player !== null && !loud}
            preload={player ? 'auto' : 'metadata'}
            playsInline
            src={source}
            aria-label={`Video ${shot.name}`}
            onError={() => setBad(true)}
            onClick={() => player?.toggle()}
          />
          {store && drawn && <canvas ref={over} class="film-over" aria-hidden="true" />}
        </div>
      )}
      {player && (
        <div class="film-options">
          {choice}
          {landmarks.length > 0 && (
            <label>
              <input type="checkbox" checked={drawn} onChange={(e) => setDrawn(e.currentTarget.checked)} />
              Skeleton
            </label>
          )}
          <label>
            <input type="checkbox" checked={loud} onChange={(e) => setLoud(e.currentTarget.checked)} />
            Sound
          </label>
        </div>
      )}
    </section>
  )
}

/** useSeen loads where the landmarks are in the pictures; null until they are there, or where none are. */
function useSeen(id: string, motion: Motion, shot: Shot): Store | null {
  const [store, setStore] = useState<Store | null>(null)
  useEffect(() => {
    setStore(null)
    const names = shot.landmarks.flatMap((l) => [l.u, l.v])
    if (shot.clock !== null) names.push(shot.clock)
    if (names.length === 0) return
    const stop = new AbortController()
    const want = { names, everything: false, rows: motion.frames, samples: false }
    load(framesOf(id), want, stop.signal, () => {}).then(
      (loaded) => loaded.stride === 1 && setStore(loaded), // else rows and pictures would not belong together
      () => undefined, // the video shows without its skeleton
    )
    return () => stop.abort()
  }, [id, motion, shot])
  return store
}

type Place = ReturnType<typeof placeOf>

/** placeOf is where an element lies in its parent, in pixels of the page. */
function placeOf({ offsetLeft: left, offsetTop: top, clientWidth: width, clientHeight: height }: HTMLElement) {
  return { left, top, width, height }
}

/** paint draws lines of a picture over its element, which lies at a place. */
function paint(canvas: HTMLCanvasElement, film: HTMLVideoElement, at: Place, lines: ReturnType<typeof linesOf>): void {
  const context = canvas.getContext('2d')
  if (!context || !film.videoWidth) return
  const dense = devicePixelRatio
  const [width, height] = [Math.round(at.width * dense), Math.round(at.height * dense)]
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
  canvas.style.cssText = `left:${at.left}px;top:${at.top}px;width:${at.width}px;height:${at.height}px`
  context.clearRect(0, 0, width, height)
  const { scale, left, top } = fitted(film.videoWidth, film.videoHeight, width, height)
  context.lineCap = 'round'
  // A dark edge tells the lines from a picture of any colour.
  for (const [colour, wide] of [
    ['#000a', 4],
    ['#4cf', 2],
  ] as const) {
    context.strokeStyle = colour
    context.lineWidth = wide * dense
    context.beginPath()
    for (const [a, b, c, d] of lines) {
      // The middle of the upper left pixel is half a pixel from the edge.
      context.moveTo(left + (a + 0.5) * scale, top + (b + 0.5) * scale)
      context.lineTo(left + (c + 0.5) * scale, top + (d + 0.5) * scale)
    }
    context.stroke()
  }
  canvas.dataset.lines = String(lines.length)
}
