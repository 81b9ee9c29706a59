// A recording in the axes that two recordings share: y upwards, in metres, and by choice with the pelvis at zero, the
// floor below it and the body facing +z.

import type { Numbers } from '../../capture/data/binary'
import type { Store } from '../../capture/data/store'
import { stageOf, turn } from '../../capture/scene/frame'
import { pelvisOf } from '../../capture/scene/pelvis'
import { recordingOf } from '../../capture/scene/points'
import type { Named } from '../../capture/scene/facing'
import type { Bone } from '../../capture/skeleton/bones'
import type { Channel, Motion } from '../../capture/types'
import type { Hold } from '../address'
import type { Rows } from './timeline'

/** What is put there. */
export interface Source {
  name: string
  motion: Motion
  points: Channel[]
  store: Store
  bones: Bone[]
  rows: Rows
}

/** In a frame without a whole pelvis, the nearest whole one within so many seconds counts. */
const near = 0.25

/** Facing is the mean over so many seconds on either side: a pelvis turns with every step. */
const about = 0.5

type Place = [x: number, y: number, z: number]

/** Posed puts the points of one recording where they are at a time. */
export class Posed {
  /** x, y and z of each point at the time that is shown, one number each; NaN where it was not seen. */
  readonly live: Float64Array[]
  /** The frame that is shown; -1 before the first one and after the last one. */
  row = -1
  /** Where the pelvis is at the time that is shown, in metres; NaN where it was not seen, or has no name that is known. */
  readonly pelvis: Place = [NaN, NaN, NaN]
  readonly points: Named[]
  /** Why it is not where it should be, in sentences; empty where it is. */
  readonly lacking: string[] = []

  private readonly columns: Numbers[]
  private readonly base: readonly number[]
  private readonly middle: number[] // points of the pelvis
  private readonly matrix: number[] // row by row
  private readonly offset: Place
  private readonly held: boolean // at the pelvis, in every frame

  /** moment is on the clock of the recording. */
  constructor(
    readonly source: Source,
    readonly moment: number,
    hold: Hold,
  ) {
    const { motion, points, store, bones, rows, name } = source
    const { recording, up } = recordingOf(motion, points, store, bones)
    this.columns = recording.columns
    this.base = recording.base
    this.middle = pelvisOf(recording.points, -1)
    const whose = recording.points[this.middle[0] ?? -1]?.subject
    // A camera follows the pelvises of both.
    this.points = recording.points.map((p) => ({
      label: p.label,
      subject: p.subject === whose ? '' : `not ${p.subject}`,
    }))
    this.live = this.columns.map(() => Float64Array.of(NaN))
    const axes = [turn(up, 1, 0, 0), turn(up, 0, 1, 0), turn(up, 0, 0, 1)]
    this.matrix = [0, 1, 2].flatMap((to) => axes.map((axis) => axis[to]!))
    const recorded = this.turned(this.base)
    const at = hold === 'recorded' ? -1 : this.wholeNear(moment)
    this.held = at >= 0 && hold === 'always'
    this.offset = recorded
    if (hold === 'recorded') return
    if (this.middle.length === 0) {
      this.lacking.push(`In ${name} no point of a pelvis has a name that is known: it stands where it was recorded.`)
    } else if (at < 0) {
      this.lacking.push(`In ${name} the pelvis is not seen at that moment: it stands where it was recorded.`)
    } else {
      const whole = rows.around(moment, about).map((row) => store.nearest(row))
      const heading = recording.facing.over(up, whole, this.middle[0])
      if (heading) this.face(heading)
      else this.lacking.push(`Which way the body faces in ${name} is not known: it is not turned.`)
      const [x, , z] = this.turned(this.pelvisIn(at))
      this.offset = [-x, -stageOf(recording.extent, up).floor, -z]
    }
  }

  /** Turns what is shown about the vertical, so that a direction of the floor becomes +z. */
  private face([x, z]: readonly [number, number]): void {
    const m = this.matrix
    for (let a = 0; a < 3; a++) {
      const [mx, mz] = [m[a]!, m[6 + a]!]
      m[a] = mx * z - mz * x
      m[6 + a] = mx * x + mz * z
    }
  }

  /** A place, from the base of the file, in the axes of the scene. */
  private turned(p: readonly number[]): Place {
    const m = this.matrix
    const one = (r: number) => m[r]! * p[0]! + m[r + 1]! * p[1]! + m[r + 2]! * p[2]!
    return [one(0), one(3), one(6)]
  }

  /** The middle of the pelvis in a held row, from the base of the file; NaN where one of its points is not seen. */
  private pelvisIn(held: number): Place {
    const sum: Place = [0, 0, 0]
    for (const i of this.middle) for (let a = 0; a < 3; a++) sum[a]! += this.columns[3 * i + a]![held]! - this.base[a]!
    return sum.map((v) => v / this.middle.length) as Place
  }

  private wholeIn(held: number): boolean {
    return !Number.isNaN(this.pelvisIn(held)[0])
  }

  /** The held row nearest to a time in which the pelvis is whole; -1 where there is none near it. */
  private wholeNear(time: number): number {
    const { rows, store } = this.source
    if (this.middle.length === 0) return -1
    const now = rows.at(time)
    if (now >= 0 && this.wholeIn(store.nearest(now))) return store.nearest(now)
    let best = -1
    for (const row of rows.around(time, near)) {
      if (!this.wholeIn(store.nearest(row))) continue
      if (best < 0 || Math.abs(rows.timeOf(row) - time) < Math.abs(rows.timeOf(best) - time)) best = row
    }
    return best < 0 ? -1 : store.nearest(best)
  }

  /** Shows the frame nearest to a time of the recording. One that is held at the pelvis is not shown where that is not seen. */
  show(time: number): void {
    const { rows, store } = this.source
    this.row = rows.at(time)
    const held = this.row < 0 ? -1 : store.nearest(this.row)
    const { matrix: m, base, columns, live, pelvis } = this
    let [ox, oy, oz] = this.offset
    const seen = held >= 0 && this.middle.length > 0 ? this.turned(this.pelvisIn(held)) : null
    if (this.held && held >= 0) {
      const at = this.wholeNear(time)
      const [x, , z] = at < 0 ? [NaN, NaN, NaN] : this.turned(this.pelvisIn(at))
      ;[ox, oz] = [-x, -z]
    }
    pelvis[0] = seen ? seen[0] + ox : NaN
    pelvis[1] = seen ? seen[1] + oy : NaN
    pelvis[2] = seen ? seen[2] + oz : NaN
    for (let c = 0; c < columns.length; c += 3) {
      const x = held < 0 ? NaN : columns[c]![held]! - base[0]!
      const y = held < 0 ? NaN : columns[c + 1]![held]! - base[1]!
      const z = held < 0 ? NaN : columns[c + 2]![held]! - base[2]!
      live[c]![0] = m[0]! * x + m[1]! * y + m[2]! * z + ox
      live[c + 1]![0] = m[3]! * x + m[4]! * y + m[5]! * z + oy
      live[c + 2]![0] = m[6]! * x + m[7]! * y + m[8]! * z + oz
    }
  }
}
