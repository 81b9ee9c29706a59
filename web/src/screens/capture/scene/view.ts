// The scene of one recording on a canvas.

import {
  Color,
  Group,
  Matrix4,
  Mesh,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  TOUCH,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'

import type { Numbers } from '../data/binary'
import type { Bone } from '../skeleton/bones'
import { Cloud } from './cloud'
import { linear, type Palette, type RGB } from './colours'
import type { Facing, Heading, Named } from './facing'
import { Forces } from './forces'
import { matrixOf, stageOf, type Extent, type Stage } from './frame'
import { Labels } from './labels'
import { wayOf, type Look } from './looks'
import { pelvisOf } from './pelvis'
import { drawRulers, type Ruler } from './rulers'
import { floorFragment, floorVertex } from './shaders'
import type { Up } from './up'

export interface Recording {
  labels: string[]
  columns: Numbers[] // x, y, z of each point
  base: [number, number, number] // of the file, where the scene has its zero
  bones: Bone[]
  extent: Extent // from the base
  facing: Facing
  points: Named[]
}

const fov = 38

export class View {
  hover = -1
  chosen = -1
  allLabels = false
  follow = false
  /** Called when something wants to be drawn. */
  wanted: () => void = () => {}
  /** Called when somebody has turned the camera. */
  turned: () => void = () => {}

  private readonly renderer: WebGLRenderer
  private readonly scene = new Scene()
  private readonly camera = new PerspectiveCamera(fov, 1, 0.01, 100)
  private readonly controls: OrbitControls
  private readonly group = new Group()
  private readonly floor: Mesh<PlaneGeometry, ShaderMaterial>
  private readonly labels: Labels
  private cloud: Cloud
  private forces: Forces | null = null
  private stage: Stage
  private palette: Palette
  private colours: RGB[] = []
  private traced: number[] = []
  private hidden: readonly boolean[] = []
  private width = 1
  private height = 1
  private ratio = 1
  private rulers: readonly Ruler[] = []
  private row = 0
  private back = 0
  private readonly all = new Matrix4()
  private readonly shift = new Vector3()
  private readonly middle = new Vector3()
  private drawnLabels = false
  private pelvis: number[] = []
  private pelvisFor = NaN // the point that is chosen when it was looked for

  /** Throws where there is no WebGL. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly over: HTMLCanvasElement,
    private readonly rec: Recording,
    private up: Up,
    palette: Palette,
    smooth: boolean,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' })
    this.palette = palette
    this.floor = new Mesh(
      new PlaneGeometry(1, 1),
      new ShaderMaterial({
        vertexShader: floorVertex,
        fragmentShader: floorFragment,
        transparent: true,
        depthWrite: false,
        uniforms: {
          uCell: { value: 1 },
          uReach: { value: 1 },
          uCentre: { value: new Vector3() },
          uInk: { value: new Color() },
          uGround: { value: new Color() },
          uStrength: { value: 1 },
        },
      }),
    )
    this.floor.rotation.x = -Math.PI / 2
    this.floor.frustumCulled = false
    this.group.matrixAutoUpdate = false
    this.scene.add(this.floor, this.group)
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.enableDamping = smooth
    this.controls.dampingFactor = 0.12
    this.controls.zoomSpeed = 1.2
    this.touch(false)
    this.controls.addEventListener('change', () => this.wanted())
    this.controls.addEventListener('end', () => this.turned())
    this.labels = new Labels(over, rec.labels)
    this.stage = stageOf(rec.extent, up)
    this.cloud = this.build(up)
    // Who goes a long way is best seen from nearby, by a camera that goes along.
    this.follow = this.stage.radius > 0.8 * rec.extent.body
    this.look('home')
  }

  /** Sets which axis points upwards and resets the camera to it. */
  setUp(up: Up): void {
    this.up = up
    this.cloud.dispose()
    this.stage = stageOf(this.rec.extent, up)
    this.cloud = this.build(up)
    this.look('home')
  }

  /**
   * Says what fingers do. Where there is nothing but the scene they do everything. Else
   * up and down is left to the page, which must scroll: one finger turns sideways, two
   * draw near and turn.
   */
  touch(everything: boolean): void {
    this.controls.touches = everything
      ? { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN }
      : { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_ROTATE }
    this.canvas.style.touchAction = everything ? 'none' : 'pan-y'
  }

  /** Which way the subject that is chosen, or the first one, faces in the row that is shown. */
  get heading(): Heading | null {
    return this.rec.facing.at(this.up, this.row, this.chosen)
  }

  /** Joins points by other bones. */
  join(bones: Bone[]): void {
    if (bones === this.rec.bones) return
    this.rec.bones = bones
    this.cloud.dispose()
    this.build(this.up)
    this.wanted()
  }

  /** Leaves points out of the picture: each that is true. */
  hide(points: readonly boolean[]): void {
    this.hidden = points
    this.cloud.hide(points)
    this.cloud.show(this.row, this.back)
    this.wanted()
  }

  /** Draws what is measured between points, with its number. */
  rule(rulers: readonly Ruler[]): void {
    this.rulers = rulers
    this.wanted()
  }

  private build(up: Up): Cloud {
    const s = this.stage
    this.group.matrix.fromArray(matrixOf(up))
    this.group.matrixWorldNeedsUpdate = true
    const reach = Math.max(4 * s.radius, 3 * s.cell)
    const floor = this.floor.material.uniforms
    floor.uCell!.value = s.cell
    floor.uReach!.value = reach
    floor.uCentre!.value.set(s.centre[0], s.floor, s.centre[2])
    this.floor.position.set(s.centre[0], s.floor, s.centre[2])
    this.floor.scale.setScalar(2 * reach)
    this.camera.near = this.rec.extent.body / 100
    this.camera.far = 60 * s.radius
    this.controls.minDistance = this.rec.extent.body / 10
    this.controls.maxDistance = 20 * s.radius
    const cloud = new Cloud(
      this.group,
      { count: this.rec.labels.length, columns: this.rec.columns, base: this.rec.base, bones: this.rec.bones },
      this.rec.extent.body,
      s.floor,
    )
    this.cloud = cloud
    cloud.hide(this.hidden)
    if (this.colours.length > 0) this.paint(this.colours, this.palette)
    cloud.trace(this.traced)
    cloud.show(this.row, this.back)
    this.scaled()
    return cloud
  }

  paint(colours: RGB[], palette: Palette): void {
    this.colours = colours
    this.palette = palette
    this.renderer.setClearColor(new Color().setRGB(...linear(palette.back)), 1)
    const floor = this.floor.material.uniforms
    floor.uInk!.value.setRGB(...linear(palette.ink))
    floor.uGround!.value.setRGB(...linear(palette.ground))
    floor.uStrength!.value = palette.gridStrength
    this.cloud.paint(colours, palette)
    this.forces?.paint(palette.force)
    this.wanted()
  }

  /** Gives the scene the forces of platforms: columns of each, as arrowAt takes them. */
  measure(platforms: readonly (readonly Numbers[])[]): void {
    this.forces?.dispose()
    this.forces = new Forces(this.group, platforms, this.rec.base, this.rec.extent.body)
    this.forces.paint(this.palette.force)
    this.scaled()
    this.wanted()
  }

  /** Shows the forces of one of their rows, -1 for none. */
  press(row: number): void {
    this.forces?.show(row)
    this.wanted()
  }

  /** Shows the forces, or hides them. */
  set forced(on: boolean) {
    if (this.forces) this.forces.visible = on
    this.wanted()
  }

  /** Gives points trails over so many rows. */
  trail(points: number[], rows: number): void {
    this.traced = points
    this.back = rows
    this.cloud.trace(points)
    this.cloud.show(this.row, this.back)
    this.wanted()
  }

  resize(width: number, height: number, ratio: number): void {
    if (width < 1 || height < 1) return
    this.width = width
    this.height = height
    this.ratio = Math.min(ratio, 2)
    this.renderer.setPixelRatio(this.ratio)
    this.renderer.setSize(width, height, false)
    this.over.width = Math.round(width * this.ratio)
    this.over.height = Math.round(height * this.ratio)
    this.camera.aspect = width / height
    this.camera.updateProjectionMatrix()
    this.scaled()
    this.wanted()
  }

  private scaled(): void {
    const pixels = (this.height * this.ratio) / (2 * Math.tan((fov * Math.PI) / 360))
    this.cloud.scale(pixels, this.ratio)
    this.forces?.scale(pixels)
  }

  /** Turns the camera to a side, so that everything is seen. */
  look(from: Look): void {
    const { centre, radius } = this.stage
    const way = wayOf(from, this.heading)
    const narrow = Math.min(1, this.camera.aspect)
    const near = this.follow ? 0.62 * this.rec.extent.body : radius
    const distance = (near / Math.sin((fov * Math.PI) / 360) / narrow) * 0.92
    this.controls.target.set(...centre)
    if (this.follow && this.centred()) this.controls.target.setX(this.middle.x).setZ(this.middle.z)
    this.camera.position
      .set(...way)
      .normalize()
      .multiplyScalar(distance)
      .add(this.controls.target)
    this.camera.updateProjectionMatrix()
    this.controls.update()
    this.wanted()
    this.turned()
  }

  /** Where the camera stands, what it looks at, and 1 when it follows: numbers in the axes of the scene. */
  get standing(): number[] {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray(), this.follow ? 1 : 0]
  }

  /** Puts the camera where it stood. */
  stand([x, y, z, tx, ty, tz, follow]: readonly number[]): void {
    this.follow = follow === 1
    this.controls.target.set(tx!, ty!, tz!)
    this.camera.position.set(x!, y!, z!)
    this.controls.update()
    this.wanted()
  }

  /** Turns and draws near by the keyboard: radians, and a factor of the distance. */
  nudge(around: number, above: number, nearer: number): void {
    const at = this.shift.subVectors(this.camera.position, this.controls.target)
    const r = Math.min(this.controls.maxDistance, Math.max(this.controls.minDistance, at.length() * nearer))
    const azimuth = Math.atan2(at.x, at.z) + around
    const polar = Math.min(Math.PI - 0.01, Math.max(0.01, Math.acos(at.y / at.length()) - above))
    at.set(Math.sin(polar) * Math.sin(azimuth), Math.cos(polar), Math.sin(polar) * Math.cos(azimuth)).multiplyScalar(r)
    this.camera.position.addVectors(this.controls.target, at)
    this.controls.update()
    this.wanted()
    this.turned()
  }

  /** Has the camera look as another one does: from the same side, and at the same place unless it follows somebody. */
  like(other: View): void {
    const at = this.shift.subVectors(other.camera.position, other.controls.target)
    if (!this.follow) this.controls.target.copy(other.controls.target)
    this.camera.position.addVectors(this.controls.target, at)
    this.camera.lookAt(this.controls.target)
  }

  /** Puts the points where they are in a held row. A camera that follows goes the whole way at once after a leap. */
  show(row: number, leap = Math.abs(row - this.row) > 20): void {
    this.row = row
    this.cloud.show(row, this.back)
    if (this.follow) this.keepUp(leap ? 1 : 0.2)
  }

  /** Moves the camera along with what moves, by a part of the way. */
  private keepUp(part: number): void {
    if (!this.centred()) return
    this.shift.subVectors(this.middle, this.controls.target).setY(0).multiplyScalar(part)
    this.controls.target.add(this.shift)
    this.camera.position.add(this.shift)
  }

  /** Whether a pelvis is followed: else it is the middle of all points. */
  get hasPelvis(): boolean {
    return pelvisOf(this.rec.points, this.chosen).length > 0
  }

  /** Finds the middle of the pelvis, or of all points where nobody's has a name; false while none of it is seen. */
  private centred(): boolean {
    const p = this.cloud.positions
    let n = 0
    this.middle.set(0, 0, 0)
    const add = (i: number) => {
      if (p[i]! > 1e18) return
      this.middle.x += p[i]!
      this.middle.y += p[i + 1]!
      this.middle.z += p[i + 2]!
      n++
    }
    if (this.pelvisFor !== this.chosen) {
      this.pelvisFor = this.chosen
      this.pelvis = pelvisOf(this.rec.points, this.chosen)
    }
    if (this.pelvis.length > 0) for (const i of this.pelvis) add(3 * i)
    else for (let i = 0; i < p.length; i += 3) add(i)
    if (n === 0) return false
    this.middle.divideScalar(n).applyMatrix4(this.group.matrix)
    return true
  }

  /** Draws; says whether the camera goes on moving by itself. */
  draw(): boolean {
    const moving = this.controls.update()
    this.cloud.mark(this.hover, this.chosen)
    this.renderer.render(this.scene, this.camera)
    const labels = this.allLabels || this.hover >= 0 || this.chosen >= 0 || this.rulers.length > 0
    if (labels || this.drawnLabels) {
      this.projected()
      this.labels.draw(this.allLabels, this.hover, this.chosen, this.palette, this.ratio)
      const { x, y, pen } = this.labels
      if (pen) drawRulers(pen, this.rulers, { x, y, columns: this.rec.columns }, this.row, this.palette)
    }
    this.drawnLabels = labels
    return moving
  }

  private projected(): void {
    this.all.multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse).multiply(this.group.matrix)
    this.labels.project(this.all, this.cloud.positions, this.width, this.height)
  }

  /** The point at a place of the canvas, -1 for none. */
  pointAt(x: number, y: number): number {
    this.projected()
    return this.labels.at(x, y)
  }

  /** Where a point is in the row that is shown, in the axes and unit of the recording; null where it was not seen. */
  placeOf(point: number): [x: number, y: number, z: number] | null {
    const at = [0, 1, 2].map((a) => this.rec.columns[3 * point + a]?.[this.row] ?? NaN) as [number, number, number]
    return at.some(Number.isNaN) ? null : at
  }

  /** The size of the squares of the grid, in the unit of the recording. */
  get cell(): number {
    return this.stage.cell
  }

  /** Lets go of everything. The canvas can show nothing any more: its context is lost. */
  dispose(): void {
    this.controls.dispose()
    this.cloud.dispose()
    this.forces?.dispose()
    this.floor.geometry.dispose()
    this.floor.material.dispose()
    this.renderer.dispose()
    // A browser keeps about sixteen contexts and takes the oldest one away for the next;
    // it does not see by itself, nor soon, that nobody looks at this one any more.
    this.renderer.forceContextLoss()
  }
}
