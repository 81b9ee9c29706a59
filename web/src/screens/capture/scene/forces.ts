// The forces of platforms: an arrow each, from the centre of pressure.

import { Color, ConeGeometry, Mesh, MeshBasicMaterial, Quaternion, Vector3, type Group } from 'three'

import type { Numbers } from '../data/binary'
import { linear, type RGB } from './colours'
import { Ribbon } from './ribbon'
import { metresPerNewton } from './scale'

/** An arrow between two places of the scene. */
export interface Arrow {
  from: [number, number, number]
  to: [number, number, number]
}

/**
 * The arrow of a platform in a row: columns are the force along x, y and z in newtons and the centre of pressure in
 * metres; base is where the scene has its zero. null where there is no load.
 */
export function arrowAt(
  columns: readonly Numbers[],
  row: number,
  base: readonly [number, number, number],
): Arrow | null {
  const at = columns.map((c) => c[row] ?? NaN)
  if (at.length !== 6 || at.some((v) => !Number.isFinite(v))) return null
  const from = [0, 1, 2].map((i) => at[3 + i]! - base[i]!) as Arrow['from']
  return { from, to: from.map((v, i) => v + at[i]! * metresPerNewton) as Arrow['to'] }
}

const up = new Vector3(0, 1, 0)

/** Forces draws the arrows of all platforms. */
export class Forces {
  private readonly shafts: Ribbon
  private readonly heads: Mesh<ConeGeometry, MeshBasicMaterial>[]
  private readonly way = new Vector3()
  private readonly turn = new Quaternion()
  private shown = true
  private row = -1

  /** body is how large somebody is, in metres. */
  constructor(
    private readonly group: Group,
    private readonly platforms: readonly (readonly Numbers[])[],
    private readonly base: readonly [number, number, number],
    private readonly body: number,
  ) {
    this.shafts = new Ribbon(Math.max(1, platforms.length), { uRadius: 0.006 * body })
    this.shafts.fade.fill(1)
    this.shafts.mesh.renderOrder = 5
    this.shafts.mesh.frustumCulled = false
    group.add(this.shafts.mesh)
    this.heads = platforms.map(() => {
      const head = new Mesh(new ConeGeometry(0.018 * body, 0.06 * body, 20), new MeshBasicMaterial())
      head.renderOrder = 5
      group.add(head)
      return head
    })
  }

  paint(colour: RGB): void {
    const rgb = linear(colour)
    this.platforms.forEach((_, i) => this.shafts.tint.set(rgb, 3 * i))
    this.shafts.still()
    for (const head of this.heads) head.material.color = new Color().setRGB(...rgb)
  }

  /** Shows the forces of a row. */
  show(row: number): void {
    this.row = row
    let n = 0
    this.platforms.forEach((columns, i) => {
      const arrow = this.shown && row >= 0 ? arrowAt(columns, row, this.base) : null
      const head = this.heads[i]!
      head.visible = arrow !== null
      if (!arrow) return
      this.way.set(...arrow.to).sub(head.position.set(...arrow.from))
      const long = this.way.length()
      // The head is a part of the arrow: its tip is where the arrow ends.
      const tip = Math.min(0.06 * this.body, long / 2)
      if (long > 0) this.way.divideScalar(long)
      this.shafts.start.set(arrow.from, 3 * n)
      head.position.addScaledVector(this.way, long - tip)
      this.shafts.end.set(head.position.toArray(), 3 * n)
      head.position.addScaledVector(this.way, tip / 2)
      head.scale.setScalar(tip / (0.06 * this.body))
      head.quaternion.copy(this.turn.setFromUnitVectors(up, this.way))
      n++
    })
    this.shafts.count(n)
    this.shafts.moved()
  }

  /** Shows the arrows, or hides them. */
  set visible(on: boolean) {
    this.shown = on
    this.show(this.row)
  }

  /** Says how many pixels a length at distance 1 has. */
  scale(pixels: number): void {
    this.shafts.mesh.material.uniforms.uScale!.value = pixels
  }

  dispose(): void {
    for (const one of [this.shafts.mesh, ...this.heads]) {
      this.group.remove(one)
      one.geometry.dispose()
      one.material.dispose()
    }
  }
}
