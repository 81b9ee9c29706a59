// What moves: the points, the bones between them and the trails behind them, each in
// buffers that are written over from frame to frame. Nothing is allocated on the way.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  type InstancedBufferGeometry,
  Mesh,
  Points,
  ShaderMaterial,
  type Group,
} from 'three'

import type { Numbers } from '../data/binary'
import type { Bone } from '../skeleton/bones'
import { linear, type Palette, type RGB } from './colours'
import { Ribbon, ribbonMaterial } from './ribbon'
import { sphereFragment, sphereVertex } from './shaders'

/** Stands for nowhere; the shaders leave out what is there. */
const nowhere = 2e18

/** Pieces of one trail at most: longer ones have longer pieces. */
const pieces = 64

export interface Moving {
  count: number // points
  columns: Numbers[] // x, y, z of each
  base: readonly [number, number, number] // what is taken off each of them
  bones: Bone[]
}

export class Cloud {
  readonly positions: Float32Array
  private readonly points: Points<BufferGeometry, ShaderMaterial>
  private readonly sticks: Ribbon
  private readonly shadow: Mesh<InstancedBufferGeometry, ShaderMaterial>
  private readonly trails: Ribbon
  private readonly position: BufferAttribute
  private readonly tint: BufferAttribute
  private trailOf: number[] = []
  private hidden: readonly boolean[] = []

  constructor(
    private readonly group: Group,
    private readonly m: Moving,
    body: number,
    floor: number,
  ) {
    this.positions = new Float32Array(3 * m.count).fill(nowhere)
    this.position = new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage)
    this.tint = new BufferAttribute(new Float32Array(3 * m.count), 3)
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', this.position)
    geometry.setAttribute('tint', this.tint)
    const radius = body * (m.count > 150 ? 0.0065 : 0.011)
    const material = new ShaderMaterial({
      vertexShader: sphereVertex,
      fragmentShader: sphereFragment,
      transparent: true,
      uniforms: {
        uRadius: { value: radius },
        uScale: { value: 1 },
        uLeast: { value: 3 },
        uHover: { value: -1 },
        uChosen: { value: -1 },
        uAccent: { value: new Color() },
      },
    })
    this.points = new Points(geometry, material)
    this.points.renderOrder = 3
    this.sticks = new Ribbon(Math.max(1, m.bones.length), { uRadius: radius * 0.62 })
    this.sticks.mesh.renderOrder = 2
    this.shadow = new Mesh(
      this.sticks.geometry,
      ribbonMaterial({ uRadius: radius * 0.9, uShadow: true, uFloor: floor, uBody: body }),
    )
    this.shadow.material.depthWrite = false
    this.shadow.renderOrder = 1
    this.trails = new Ribbon(1, { uRadius: 1.1, uLine: true })
    this.trails.mesh.renderOrder = 4
    this.trails.mesh.material.depthWrite = false
    for (const one of [this.points, this.sticks.mesh, this.shadow, this.trails.mesh]) {
      one.frustumCulled = false
      group.add(one)
    }
    this.sticks.count(m.bones.length)
    this.sticks.fade.fill(1)
  }

  paint(colours: RGB[], palette: Palette): void {
    colours.forEach((c, i) => this.tint.array.set(linear(c), 3 * i))
    this.tint.needsUpdate = true
    this.m.bones.forEach(([a, b], i) => {
      // A bone between the sides has the colour of the one that is on a side.
      const [from, to] = [colours[a]!, colours[b]!]
      this.sticks.tint.set(linear(from === to ? from : mix(from, to)), 3 * i)
    })
    this.sticks.still()
    this.points.material.uniforms.uAccent!.value.setRGB(...linear(palette.accent))
    this.shadow.material.uniforms.uAlpha!.value = palette.shadow
    this.trace(this.trailOf)
  }

  /** Gives these points trails. */
  trace(points: number[]): void {
    this.trailOf = points
    this.trails.room(Math.max(1, points.length * pieces))
    points.forEach((p, n) => {
      const tint = this.tint.array.subarray(3 * p, 3 * p + 3)
      for (let i = 0; i < pieces; i++) {
        this.trails.tint.set(tint, 3 * (n * pieces + i))
        this.trails.fade[2 * (n * pieces + i)] = (i / pieces) ** 1.5 * 0.9
        this.trails.fade[2 * (n * pieces + i) + 1] = ((i + 1) / pieces) ** 1.5 * 0.9
      }
    })
    this.trails.still()
  }

  /** Leaves points out of all rows that are shown from now on, with their bones. */
  hide(points: readonly boolean[]): void {
    this.hidden = points
  }

  /** Shows a held row, with trails over so many rows before it. */
  show(row: number, back: number): void {
    const { columns, count, bones } = this.m
    const [bx, by, bz] = this.m.base
    const p = this.positions
    for (let i = 0, c = 0; i < count; i++) {
      const x = columns[c++]![row]!
      const y = columns[c++]![row]!
      const z = columns[c++]![row]!
      if (x - x === 0 && !this.hidden[i]) {
        p[3 * i] = x - bx
        p[3 * i + 1] = y - by
        p[3 * i + 2] = z - bz
      } else p[3 * i] = nowhere
    }
    this.position.needsUpdate = true
    const { start, end } = this.sticks
    for (let i = 0; i < bones.length; i++) {
      const a = 3 * bones[i]![0]
      const b = 3 * bones[i]![1]
      start[3 * i] = p[a]!
      start[3 * i + 1] = p[a + 1]!
      start[3 * i + 2] = p[a + 2]!
      end[3 * i] = p[b]!
      end[3 * i + 1] = p[b + 1]!
      end[3 * i + 2] = p[b + 2]!
    }
    this.sticks.moved()
    this.drag(row, back)
  }

  private drag(row: number, back: number): void {
    const { columns } = this.m
    const [bx, by, bz] = this.m.base
    const { start, end } = this.trails
    const length = this.trailOf.length
    this.trails.count(back > 0 ? length * pieces : 0)
    if (back <= 0 || length === 0) return
    const step = Math.max(1, Math.ceil(back / pieces))
    for (let n = 0; n < length; n++) {
      const c = 3 * this.trailOf[n]!
      const xs = columns[c]!
      const ys = columns[c + 1]!
      const zs = columns[c + 2]!
      for (let i = 0; i < pieces; i++) {
        const at = 3 * (n * pieces + i)
        // Pieces end on rows that are multiples of the step, so that they do not crawl.
        const newest = i === pieces - 1
        const base = row - (row % step) - (pieces - 1 - i) * step
        const to = newest ? row : base
        const from = base - (newest && row % step !== 0 ? 0 : step)
        const x = from < 0 || (pieces - 1 - i) * step > back ? NaN : xs[from]!
        const x2 = to < 0 ? NaN : xs[to]!
        if (x - x !== 0 || x2 - x2 !== 0) {
          start[at] = nowhere
          continue
        }
        start[at] = x - bx
        start[at + 1] = ys[from]! - by
        start[at + 2] = zs[from]! - bz
        end[at] = x2 - bx
        end[at + 1] = ys[to]! - by
        end[at + 2] = zs[to]! - bz
      }
    }
    this.trails.moved()
  }

  mark(hover: number, chosen: number): void {
    this.points.material.uniforms.uHover!.value = hover
    this.points.material.uniforms.uChosen!.value = chosen
  }

  /** Says how many pixels a length at distance 1 has. */
  scale(pixels: number, ratio: number): void {
    for (const one of [this.points, this.sticks.mesh, this.shadow, this.trails.mesh])
      one.material.uniforms.uScale!.value = pixels
    this.points.material.uniforms.uLeast!.value = 3.5 * ratio
    this.trails.mesh.material.uniforms.uRadius!.value = 1.1 * ratio
  }

  dispose(): void {
    for (const one of [this.points, this.sticks.mesh, this.shadow, this.trails.mesh]) {
      this.group.remove(one)
      one.geometry.dispose()
      one.material.dispose()
    }
  }
}

function mix(a: RGB, b: RGB): RGB {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2]
}
