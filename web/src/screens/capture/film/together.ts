// A video in step with the player: the player leads, and the video follows.

import type { Player } from '../player'

/** What is used of the element of a video. */
export interface Film {
  currentTime: number
  playbackRate: number
  readonly duration: number
  readonly paused: boolean
  readonly seeking: boolean
  play(): Promise<void>
  pause(): void
}

/** So many seconds a video that plays may be ahead or behind before it is set right. */
const drift = 0.08

/** Following is a video that follows the player. */
export interface Following {
  /** Looks once more what is wanted: the video was looking for another picture, or was not there yet. */
  again(): void
  end(): void
}

/** Follow has a video show what the player shows. Its clock is ahead of the player's by so many seconds. */
export function follow(player: Player, film: Film, ahead = 0): Following {
  let over = false
  let blocked = false // the browser does not let it play: it goes from picture to picture
  /** The time in the video of what is shown: the middle of the row's picture. */
  const wanted = () => {
    const row = player.row
    const next = Math.min(row + 1, player.clock.rows - 1)
    const half = (player.timeOf(next) - player.timeOf(next - 1)) / 2
    return player.timeOf(row) + Math.max(half, 0) + ahead
  }
  const inside = (time: number) => time >= 0 && !(time > film.duration)
  const set = (time: number) => {
    // While it looks for one picture it is not sent to the next: the last one that is wanted comes afterwards.
    if (!film.seeking && Math.abs(film.currentTime - time) > 1e-4) film.currentTime = time
  }
  const tell = () => {
    if (over) return
    const time = wanted()
    if (!player.playing || !inside(time) || blocked) {
      if (!film.paused) film.pause()
      set(Math.min(Math.max(0, time), Number.isNaN(film.duration) ? time : film.duration))
      return
    }
    if (film.playbackRate !== player.speed) film.playbackRate = player.speed
    if (Math.abs(film.currentTime - time) > drift * Math.max(1, player.speed)) set(time)
    if (film.paused)
      film.play().catch(() => {
        blocked = !over && player.playing
      })
  }
  const stops = [player.onRow(tell), player.onChange(tell)]
  tell()
  return {
    again: tell,
    end: () => {
      over = true
      for (const stop of stops) stop()
      film.pause()
    },
  }
}
