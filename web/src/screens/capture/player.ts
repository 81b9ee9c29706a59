// The time of the player in the recording, and its course.

import { lowerBound } from '../../curves/sorted'

export interface Clock {
  rows: number
  start: number // time of row 0 in seconds
  rate: number | null // rows a second
  time: Float64Array | null // of every row, where they are not evenly spaced
}

/** Played where nobody knows the rate. */
export const assumed = 30

export class Player {
  row = 0
  playing = false
  speed = 1
  loop = true
  private at = 0 // seconds since row 0
  private listeners: ((row: number) => void)[] = []
  private changes: (() => void)[] = []

  constructor(readonly clock: Clock) {}

  /** Seconds from the first row to the end of the last one. */
  get length(): number {
    const c = this.clock
    if (c.time && c.rows > 1) return ((c.time[c.rows - 1]! - c.time[0]!) * c.rows) / (c.rows - 1)
    return c.rows / (c.rate ?? assumed)
  }

  /** The time of a row, on the clock of the recording. */
  timeOf(row: number): number {
    const c = this.clock
    const own = c.time?.[row]
    return own !== undefined && !Number.isNaN(own) ? own : c.start + row / (c.rate ?? assumed)
  }

  /** The row that is shown at a time: the last one not behind it. */
  rowAt(time: number): number {
    const c = this.clock
    const last = Math.max(0, c.rows - 1)
    // Half a millionth of a row makes good for what floating point loses.
    if (!c.time) return Math.min(last, Math.max(0, Math.floor((time - c.start) * (c.rate ?? assumed) + 1e-6)))
    return Math.min(last, Math.max(0, lowerBound(c.time, time + 1e-9) - 1))
  }

  /** Tells every row that comes to be shown. */
  onRow(listener: (row: number) => void): () => void {
    this.listeners = [...this.listeners, listener]
    return () => {
      this.listeners = this.listeners.filter((l) => l !== listener)
    }
  }

  /** Tells that it plays or stands, faster or slower. */
  onChange(listener: () => void): () => void {
    this.changes = [...this.changes, listener]
    return () => {
      this.changes = this.changes.filter((l) => l !== listener)
    }
  }

  private told(): void {
    for (const l of this.changes) l()
  }

  play(): void {
    if (this.playing || this.clock.rows < 2) return
    if (this.row >= this.clock.rows - 1) this.seek(0)
    this.playing = true
    this.told()
  }

  pause(): void {
    if (!this.playing) return
    this.playing = false
    this.told()
  }

  toggle(): void {
    if (this.playing) this.pause()
    else this.play()
  }

  setSpeed(speed: number): void {
    this.speed = speed
    this.told()
  }

  setLoop(loop: boolean): void {
    this.loop = loop
    this.told()
  }

  /** Goes to a row. */
  seek(row: number): void {
    const to = Math.min(Math.max(0, this.clock.rows - 1), Math.max(0, Math.round(row)))
    this.at = this.timeOf(to) - this.timeOf(0)
    this.show(to)
  }

  seekTime(time: number): void {
    // To the nearest row, as whoever clicks into a plot means.
    const row = this.rowAt(time)
    const next = Math.min(row + 1, Math.max(0, this.clock.rows - 1))
    this.seek(Math.abs(this.timeOf(next) - time) < Math.abs(this.timeOf(row) - time) ? next : row)
  }

  step(rows: number): void {
    this.pause()
    this.seek(this.row + rows)
  }

  /** Tells the row that is shown once more: the times of rows may be known only now. */
  retell(): void {
    this.at = this.timeOf(this.row) - this.timeOf(0)
    for (const l of this.listeners) l(this.row)
  }

  /** Lets so many seconds of the clock on the wall go by. */
  advance(seconds: number): void {
    if (!this.playing) return
    const length = this.length
    this.at += seconds * this.speed
    if (this.at >= length) {
      if (!this.loop) {
        this.at = length
        this.show(this.clock.rows - 1)
        this.pause()
        return
      }
      this.at %= length > 0 ? length : 1
    }
    this.show(this.rowAt(this.timeOf(0) + this.at))
  }

  private show(row: number): void {
    if (row === this.row) return
    this.row = row
    const all = this.listeners
    for (let i = 0; i < all.length; i++) all[i]!(row)
  }
}
