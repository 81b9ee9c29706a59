// Play, pause, step, scrub.

import { useEffect, useRef, useState } from 'preact/hooks'

import type { Store } from './data/store'
import type { Loop } from './loop'
import { toEvent, type Leap } from './leap'
import type { Player } from './player'
import { seconds } from './words'

const speeds = [0.1, 0.25, 0.5, 1, 1.5, 2]

interface Props {
  player: Player
  events: readonly Leap[]
  loop: Loop
  store: Store | null
  fullscreen?: () => void
}

export function Controls({ player, events, loop, store, fullscreen }: Props) {
  const scrub = useRef<HTMLInputElement>(null)
  const time = useRef<HTMLOutputElement>(null)
  const frame = useRef<HTMLOutputElement>(null)
  const [, changed] = useState(0)
  const last = Math.max(0, player.clock.rows - 1)

  useEffect(() => {
    let shown = 0
    const show = () => {
      const now = performance.now()
      if (scrub.current) scrub.current.value = String(player.row)
      if (player.playing && now - shown < 50) return
      shown = now
      if (time.current) time.current.textContent = seconds(player.timeOf(player.row))
      if (frame.current) frame.current.textContent = `${player.row} / ${last}`
      scrub.current?.setAttribute(
        'aria-valuetext',
        `frame ${player.row} of ${last}, ${seconds(player.timeOf(player.row))}`,
      )
    }
    show()
    const stops = [
      player.onRow(show),
      player.onChange(() => {
        show()
        changed((n) => n + 1)
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }, [player, last])

  useEffect(() => {
    // For who measures: what the script of a frame has taken so far.
    const timer = setInterval(() => {
      if (scrub.current && loop.pace.frames > 0) scrub.current.dataset.pace = JSON.stringify(loop.pace)
    }, 500)
    return () => clearInterval(timer)
  }, [loop])

  const loaded = store ? Math.round((100 * store.loaded) / Math.max(1, store.kept)) : 0
  const none = player.clock.rows < 2
  return (
    <div class="player" role="group" aria-label="Player">
      <button
        type="button"
        class="player-play"
        disabled={none}
        aria-label={player.playing ? 'Pause' : 'Play'}
        title={player.playing ? 'Pause (Space)' : 'Play (Space)'}
        onClick={() => player.toggle()}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          {player.playing ? <path d="M7 5h4v14H7zM13 5h4v14h-4z" /> : <path d="M8 5l11 7-11 7z" />}
        </svg>
      </button>
      <button
        type="button"
        aria-label="One frame back"
        title="One frame back (←)"
        disabled={none}
        onClick={() => player.step(-1)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M17 6v12l-8-6zM6 6h2v12H6z" />
        </svg>
      </button>
      <button
        type="button"
        aria-label="One frame on"
        title="One frame on (→)"
        disabled={none}
        onClick={() => player.step(1)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M7 6v12l8-6zM16 6h2v12h-2z" />
        </svg>
      </button>
      {events.length > 0 && (
        <>
          <button
            type="button"
            aria-label="Previous event"
            title="Previous event (,)"
            disabled={none}
            onClick={() => toEvent(player, events, -1)}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M18 6v12l-8-6zM5 6h3v3H5zm0 5h3v7H5z" />
            </svg>
          </button>
          <button
            type="button"
            aria-label="Next event"
            title="Next event (.)"
            disabled={none}
            onClick={() => toEvent(player, events, 1)}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M6 6v12l8-6zM16 6h3v3h-3zm0 5h3v7h-3z" />
            </svg>
          </button>
        </>
      )}
      <div class="player-scrub">
        <input
          ref={scrub}
          type="range"
          min={0}
          max={last}
          step={1}
          disabled={none}
          aria-label="Frame"
          onInput={(e) => {
            player.pause()
            player.seek(Number(e.currentTarget.value))
          }}
        />
        {store && !store.complete && <progress max={100} value={loaded} aria-label="Loaded" />}
      </div>
      <output ref={time} class="player-time" aria-label="Time" aria-live="off" />
      <output ref={frame} class="player-frame" aria-label="Frame" aria-live="off" />
      <label>
        <span class="unseen">Speed</span>
        <select value={player.speed} onChange={(e) => player.setSpeed(Number(e.currentTarget.value))}>
          {speeds.map((s) => (
            <option key={s} value={s}>
              {s}×
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        aria-pressed={player.loop}
        aria-label="Repeat"
        title="Repeat"
        onClick={() => player.setLoop(!player.loop)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M7 7h9V4l5 4.5L16 13v-3H8v4H5V9a2 2 0 0 1 2-2zm10 10H8v3l-5-4.5L8 11v3h8v-4h3v5a2 2 0 0 1-2 2z" />
        </svg>
      </button>
      {fullscreen && (
        <button type="button" aria-label="Full screen" title="Full screen (F)" onClick={fullscreen}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 4h6v2H6v4H4zm10 0h6v6h-2V6h-4zM4 14h2v4h4v2H4zm14 0h2v6h-6v-2h4z" />
          </svg>
        </button>
      )}
    </div>
  )
}
