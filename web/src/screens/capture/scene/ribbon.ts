// Straight lines of a thickness, shaded as if they were round, in buffers that are written over from frame to frame.

import {
  BufferAttribute,
  DoubleSide,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
} from 'three'

import { ribbonFragment, ribbonVertex } from './shaders'

interface Look {
  uRadius: number
  uLine?: boolean
  uShadow?: boolean
  uFloor?: number
  uBody?: number
}

export function ribbonMaterial(look: Look): ShaderMaterial {
  const all = { uScale: 1, uLine: false, uShadow: false, uFloor: 0, uBody: 1, uAlpha: 1, ...look }
  return new ShaderMaterial({
    vertexShader: ribbonVertex,
    fragmentShader: ribbonFragment,
    transparent: true,
    side: DoubleSide,
    uniforms: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, { value }])),
  })
}

/** Many ribbons in one draw call. */
export class Ribbon {
  geometry = new InstancedBufferGeometry()
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>
  start!: Float32Array
  end!: Float32Array
  tint!: Float32Array
  fade!: Float32Array
  private size = 0

  constructor(size: number, look: Look) {
    this.mesh = new Mesh(this.geometry, ribbonMaterial(look))
    this.room(size)
  }

  room(size: number): void {
    if (size === this.size) return
    this.size = size
    this.geometry.dispose()
    this.geometry = this.mesh.geometry = new InstancedBufferGeometry()
    this.geometry.setAttribute('corner', new BufferAttribute(new Float32Array([-1, 0, 1, 0, 1, 1, -1, 1]), 2))
    this.geometry.setIndex([0, 1, 2, 0, 2, 3])
    this.geometry.instanceCount = 0
    this.start = this.add('start', 3)
    this.end = this.add('end', 3)
    this.tint = this.add('tint', 3)
    this.fade = this.add('fade', 2)
  }

  private add(name: string, width: number): Float32Array {
    const values = new Float32Array(width * this.size)
    const attribute = new InstancedBufferAttribute(values, width)
    if (name === 'start' || name === 'end') attribute.setUsage(DynamicDrawUsage)
    this.geometry.setAttribute(name, attribute)
    return values
  }

  count(n: number): void {
    this.geometry.instanceCount = n
  }

  moved(): void {
    this.geometry.attributes.start!.needsUpdate = true
    this.geometry.attributes.end!.needsUpdate = true
  }

  still(): void {
    this.geometry.attributes.tint!.needsUpdate = true
    this.geometry.attributes.fade!.needsUpdate = true
  }
}
