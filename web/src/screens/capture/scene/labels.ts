// Names beside points, on a canvas of their own above the scene, and which point is
// where on the screen.

import type { Matrix4 } from 'three'

import type { Palette } from './colours'

const font = '500 12px system-ui, sans-serif'

export class Labels {
  readonly x: Float32Array // of each point in CSS pixels; NaN where it is not on the screen
  readonly y: Float32Array
  readonly pen: CanvasRenderingContext2D | null
  private readonly widths: Float32Array
  private readonly boxes: Float32Array // left and top of the names that were drawn, and their right end
  private drawn = 0

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly names: string[],
  ) {
    this.x = new Float32Array(names.length)
    this.y = new Float32Array(names.length)
    this.pen = canvas.getContext('2d')
    this.widths = new Float32Array(names.length)
    this.boxes = new Float32Array(3 * names.length + 6)
    if (this.pen) {
      this.pen.font = font
      for (let i = 0; i < names.length; i++) this.widths[i] = this.pen.measureText(names[i]!).width
    }
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
    pen.font = font
    this.drawn = 0
    pen.lineWidth = 3
    pen.lineJoin = 'round'
    pen.strokeStyle = palette.halo
    pen.fillStyle = palette.text
    // What is pointed at comes first: others make room.
    this.one(pen, chosen)
    if (hover !== chosen) this.one(pen, hover)
    if (all) for (let i = 0; i < this.names.length; i++) if (i !== chosen && i !== hover) this.one(pen, i)
  }

  private one(pen: CanvasRenderingContext2D, i: number): void {
    if (i < 0 || !(this.x[i]! > -50)) return
    const x = this.x[i]! + 9
    const y = this.y[i]! - 7
    const end = x + this.widths[i]!
    const b = this.boxes
    for (let k = 0; k < this.drawn; k++) {
      if (x < b[3 * k + 2]! && end > b[3 * k]! && Math.abs(y - b[3 * k + 1]!) < 13) return
    }
    b[3 * this.drawn] = x
    b[3 * this.drawn + 1] = y
    b[3 * this.drawn + 2] = end
    this.drawn++
    pen.strokeText(this.names[i]!, x, y)
    pen.fillText(this.names[i]!, x, y)
  }
}
