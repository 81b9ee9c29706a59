// The rows of some columns of a recording in memory, filled part by part.

import type { Numbers, Part } from './binary'

export class Store {
  readonly time: Float64Array
  readonly columns: Numbers[] // of 64 bits as soon as a part has them
  readonly places: Map<string, number>
  readonly kept: number // rows that are held once all is loaded
  loaded = 0 // of them
  private readonly have: Uint8Array

  constructor(
    readonly names: string[],
    readonly rows: number,
    readonly stride: number,
  ) {
    this.kept = Math.ceil(rows / stride)
    this.places = new Map(names.map((name, i) => [name, i]))
    this.time = new Float64Array(this.kept).fill(NaN)
    const slab = new Float32Array(this.kept * names.length).fill(NaN)
    this.columns = names.map((_, i) => slab.subarray(i * this.kept, (i + 1) * this.kept))
    this.have = new Uint8Array(this.kept)
  }

  get complete(): boolean {
    return this.loaded === this.kept
  }

  add(part: Part): void {
    const step = part.every / this.stride
    const first = part.from / this.stride
    if (!Number.isInteger(step) || !Number.isInteger(first)) throw new Error('rows between those that are held')
    const places = part.names.map((name) => this.places.get(name) ?? -1)
    places.forEach((place, i) => {
      const held = this.columns[place]
      if (held instanceof Float32Array && part.columns[i] instanceof Float64Array)
        this.columns[place] = Float64Array.from(held)
    })
    if (step === 1) {
      this.time.set(part.time, first)
      places.forEach((place, i) => this.columns[place]?.set(part.columns[i]!, first))
    } else {
      for (let r = 0; r < part.rows; r++) this.time[first + r * step] = part.time[r]!
      places.forEach((place, i) => {
        const to = this.columns[place]
        const values = part.columns[i]!
        if (to) for (let r = 0; r < part.rows; r++) to[first + r * step] = values[r]!
      })
    }
    for (let r = 0; r < part.rows; r++) {
      const at = first + r * step
      if (this.have[at] === 0) {
        this.have[at] = 1
        this.loaded++
      }
    }
  }

  /** The held row nearest before a row that is loaded, or nearest behind; -1 for none. */
  nearest(row: number): number {
    const at = Math.max(0, Math.min(this.kept - 1, Math.floor(row / this.stride)))
    if (this.loaded === this.kept || this.have[at] === 1) return at
    for (let i = at; i >= 0; i--) if (this.have[i] === 1) return i
    for (let i = at + 1; i < this.kept; i++) if (this.have[i] === 1) return i
    return -1
  }

  /** Times and values of a column as far as they are loaded. */
  course(name: string): { time: Float64Array; values: Numbers } {
    const values = this.columns[this.places.get(name) ?? -1]
    if (!values) return { time: new Float64Array(0), values: new Float32Array(0) }
    if (this.complete) return { time: this.time, values }
    const time = new Float64Array(this.loaded)
    const some = values instanceof Float64Array ? new Float64Array(this.loaded) : new Float32Array(this.loaded)
    let n = 0
    for (let i = 0; i < this.kept; i++) {
      if (this.have[i] === 0) continue
      time[n] = this.time[i]!
      some[n++] = values[i]!
    }
    return { time, values: some }
  }
}
