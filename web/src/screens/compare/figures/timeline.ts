// One time for two recordings: 0 is the moment that they are laid together at.

import { assumed, Player, type Clock } from '../../capture/player'
import type { Store } from '../../capture/data/store'
import type { Motion } from '../../capture/types'
import type { Trial } from '../trial'

/** clockOf is the clock of a recording that is loaded; null where nobody knows when its frames are. */
export function clockOf(motion: Motion, store: Store): Clock | null {
  const clock: Clock = { rows: motion.frames, start: motion.start, rate: motion.rate, time: null }
  if (motion.even) return clock
  return store.stride === 1 && store.time.every((t) => t - t === 0) ? { ...clock, time: store.time } : null
}

/** Rows is the frames of a recording by their times. */
export class Rows {
  readonly first: number
  readonly last: number
  /** Frames a second, as the whole has them. */
  readonly rate: number
  private readonly player: Player

  constructor(readonly clock: Clock) {
    this.player = new Player(clock)
    this.first = this.player.timeOf(0)
    this.last = this.player.timeOf(clock.rows - 1)
    this.rate =
      clock.time && this.last > this.first ? (clock.rows - 1) / (this.last - this.first) : (clock.rate ?? assumed)
  }

  timeOf(row: number): number {
    return this.player.timeOf(row)
  }

  /** The frame nearest to a time; -1 more than half a frame before the first one or after the last one. */
  at(time: number): number {
    const half = 0.5 / this.rate + 1e-9
    if (!(time >= this.first - half && time <= this.last + half)) return -1
    const row = this.player.rowAt(time)
    const next = Math.min(row + 1, this.clock.rows - 1)
    return Math.abs(this.timeOf(next) - time) < Math.abs(this.timeOf(row) - time) ? next : row
  }

  /** The frames that lie within so many seconds of a time. */
  around(time: number, within: number): number[] {
    const found: number[] = []
    for (let row = Math.max(0, this.at(Math.max(time - within, this.first))); row < this.clock.rows; row++) {
      const away = this.timeOf(row) - time
      if (away > within) break
      if (away >= -within) found.push(row)
    }
    return found
  }
}

/** timelineOf is the clock of the player of both: every frame of the faster one, from the first frame of any to the last. */
export function timelineOf(all: readonly Rows[], moments: readonly number[]): Clock {
  const rate = Math.max(...all.map((r) => r.rate))
  const from = Math.min(...all.map((r, i) => r.first - moments[i]!))
  const to = Math.max(...all.map((r, i) => r.last - moments[i]!))
  // One of its frames is the moment itself. What floating point adds makes no further frame.
  const before = Math.ceil(-from * rate - 1e-6)
  const after = Math.ceil(to * rate - 1e-6)
  return { rows: before + after + 1, start: -before / rate, rate, time: null }
}

/** commonOf is the events that both have, in the order of the first. */
export function commonOf(a: Trial, b: Trial): string[] {
  const there = new Set(b.marks.map((m) => m.name))
  return [...new Set([...a.marks].sort((x, y) => x.time - y.time).map((m) => m.name))].filter((name) => there.has(name))
}

/** momentOf is when an event is first, or the first frame is where none is named; null where there is no such event. */
export function momentOf(trial: Trial, rows: Rows, event: string): number | null {
  if (event === '') return rows.first
  const times = trial.marks.filter((m) => m.name === event).map((m) => m.time)
  return times.length > 0 ? Math.min(...times) : null
}
