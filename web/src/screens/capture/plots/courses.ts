// The numbers of a channel for its plot: those that the scene has already, or loaded.

import { lowerBound } from '../../../curves/sorted'
import { decimals } from '../data/decimal'
import { load, type Fetch } from '../data/load'
import type { Store } from '../data/store'
import { columnsOf, measured } from '../measure/measure'
import type { Channel, Motion } from '../types'
import type { Courses } from './chart'

/** Whether a plot can show more of a channel than one sample a frame. */
export function hasSamples(c: Channel): boolean {
  return c.per_frame > 1
}

export class Shelf {
  private readonly kept = new Map<string, Promise<Courses>>()
  private readonly stop = new AbortController()

  constructor(
    private readonly fetch: Fetch,
    private readonly motion: Motion,
    private readonly scene: () => Store | null,
    private readonly pace: number, // rows a second where the file does not time them
  ) {}

  /** Courses of a channel: every sample, or the first one of each frame. */
  courses(c: Channel, samples: boolean): Promise<Courses> {
    const key = `${samples ? 'samples' : 'frames'} ${c.name}`
    let found = this.kept.get(key)
    if (!found) {
      found = this.bring(c, samples)
      this.kept.set(key, found)
      // What failed is asked for again the next time.
      found.catch(() => this.kept.delete(key))
    }
    return found
  }

  private async bring(c: Channel, samples: boolean): Promise<Courses> {
    if (c.derived) {
      const [{ derivedCourses }, of] = await Promise.all([import('./derivations'), this.courses(c.derived.of, samples)])
      return derivedCourses(of, c, this.motion, samples)
    }
    const { measure, ...own } = c
    if (measure) {
      const of = { ...own, columns: columnsOf(measure, this.motion) }
      const { time, columns } = await this.bring(of, false)
      return { time, columns: [measured(measure, columns.map(decimals))] }
    }
    const scene = this.scene()
    if (!samples && scene?.complete && c.columns.every((name) => scene.places.has(name))) {
      return { time: this.timed(scene), columns: c.columns.map((name) => scene.columns[scene.places.get(name)!]!) }
    }
    const fastest = Math.max(...this.motion.channels.map((one) => one.per_frame))
    // A slower channel has its samples in the rows on which they fall.
    const even = fastest % c.per_frame === 0
    const want = samples
      ? {
          names: c.columns,
          everything: false,
          rows: this.motion.frames * fastest,
          samples: true,
          step: even ? fastest / c.per_frame : 1,
        }
      : { names: c.columns, everything: false, rows: this.motion.frames, samples: false }
    const store = await load(this.fetch, want, this.stop.signal, () => {})
    return samples && !even ? filled(store) : { time: this.timed(store), columns: store.columns }
  }

  /** Times of rows: the file's own, or by the pace at which they are played. */
  private timed(store: Store): Float64Array {
    if (store.kept === 0 || !Number.isNaN(store.time[store.kept - 1])) return store.time
    return Float64Array.from({ length: store.kept }, (_, i) => (i * store.stride) / this.pace)
  }

  dispose(): void {
    this.stop.abort()
  }
}

/** Leaves out the rows in which a slower channel has no sample. */
function filled(store: Store): Courses {
  const rows: number[] = []
  for (let i = 0; i < store.kept; i++) if (store.columns.some((c) => !Number.isNaN(c[i]))) rows.push(i)
  return {
    time: Float64Array.from(rows, (i) => store.time[i]!),
    columns: store.columns.map((c) =>
      c instanceof Float64Array ? Float64Array.from(rows, (i) => c[i]!) : Float32Array.from(rows, (i) => c[i]!),
    ),
  }
}

/** heldAt is the sample that counts at a time: the last one that is not after it; -1 where there is none at all. */
export function heldAt(c: Courses, time: number): number {
  return Math.min(c.time.length - 1, Math.max(0, lowerBound(c.time, time + 1e-6) - 1))
}

/**
 * dull names the courses that say nothing: 0 or missing all the time. A joint that
 * bends about one axis has two of them. Where all are so, none is.
 */
export function dull(c: Courses): number[] {
  const found = c.columns.flatMap((values, i) => (values.some((v) => v - v === 0 && v !== 0) ? [] : [i]))
  return found.length < c.columns.length ? found : []
}
