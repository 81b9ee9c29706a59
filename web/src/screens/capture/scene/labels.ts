// Names beside points, on a canvas of their own above the scene, and which point is
// where on the screen.

import type { Matrix4 } from 'three'

import type { Palette } from './colours'

export class Labels {
  readonly x: Float32Array // of each point in CSS pixels; NaN where it is not on the screen
  readonly y: Float32Array
  private readonly pen: CanvasRenderingContext2D | null

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly names: string[],
  ) {
    this.x = new Float32Array(names.length)
    this.y = new Float32Array(names.length)
    this.pen = canvas.getContext('2d')
  }

  /** Finds where the points are on a screen of that size, by the matrix of everything. */
  project(m: Matrix4, positions: Float32Array, width: number, height: number): void {
    const e = m.elements
    for (let i = 0; i < this.names.length; i++) {
      const x = positions[3 * i]!
      const y = positions[3 * i + 1]!
      const z = positions[3 * i + 2]!
      const w = e[3]! * x + e[7]! * y + e[11]! * z + e[15]!
      if (x > 1e18 || w <= 0) {
        this.x[i] = NaN
        continue
      }
      this.x[i] = ((e[0]! * x + e[4]! * y + e[8]! * z + e[12]!) / w + 1) * 0.5 * width
      this.y[i] = (1 - (e[1]! * x + e[5]! * y + e[9]! * z + e[13]!) / w) * 0.5 * height
    }
  }

  /** The point nearest to a place of the screen, -1 when none is near. */
  at(x: number, y: number): number {
    let best = 16 * 16
    let found = -1
    for (let i = 0; i < this.names.length; i++) {
      const d = (this.x[i]! - x) ** 2 + (this.y[i]! - y) ** 2
      if (d < best) {
        best = d
        found = i
      }
    }
    return found
  }

  draw(all: boolean, hover: number, chosen: number, palette: Palette, ratio: number): void {
    const pen = this.pen
    if (!pen) return
    pen.setTransform(ratio, 0, 0, ratio, 0, 0)
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height)
    pen.font = '500 12px system-ui, sans-serif'
    pen.lineWidth = 3
    pen.lineJoin = 'round'
    pen.strokeStyle = palette.halo
    pen.fillStyle = palette.text
    if (all) for (let i = 0; i < this.names.length; i++) this.one(pen, i)
    else {
      this.one(pen, chosen)
      if (hover !== chosen) this.one(pen, hover)
    }
  }

  private one(pen: CanvasRenderingContext2D, i: number): void {
    if (i < 0 || !(this.x[i]! > -50)) return
    const x = this.x[i]! + 9
    const y = this.y[i]! - 7
    pen.strokeText(this.names[i]!, x, y)
    pen.fillText(this.names[i]!, x, y)
  }
}
