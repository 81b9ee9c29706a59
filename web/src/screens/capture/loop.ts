// Frames of the screen: the player goes on, and what has changed is drawn.

import type { Player } from './player'

export interface Drawn {
  /** Draws; says whether it goes on moving by itself. */
  draw(): boolean
}

/** How long the script of a frame took, for who measures: see the canvas's data. */
export interface Pace {
  frames: number
  worst: number // milliseconds
  sum: number
}

export class Loop {
  readonly pace: Pace = { frames: 0, worst: 0, sum: 0 }
  private view: Drawn | null = null
  private asked = 0
  private last = 0
  private dirty = false
  private gone = false
  private first: (() => void) | null = null

  constructor(private readonly player: Player) {
    player.onRow(() => this.want())
    player.onChange(() => this.want())
  }

  /** Draws a view from now on, null for none; drawn is called once its first picture is on the screen. */
  attach(view: Drawn | null, drawn: (() => void) | null = null): void {
    this.view = view
    this.first = drawn
    this.want()
  }

  /** Asks for a frame. */
  want = (): void => {
    this.dirty = true
    if (this.asked === 0 && !this.gone) {
      this.last = 0
      this.asked = requestAnimationFrame(this.tick)
    }
  }

  // Who wants a frame while one is made gets the next: asked stays until the end, or
  // every frame of what plays would ask for two.
  private tick = (now: number): void => {
    const begun = performance.now()
    // After a pause of the page the recording does not leap on.
    const passed = this.last === 0 ? 0 : Math.min(0.1, (now - this.last) / 1000)
    this.last = now
    this.player.advance(passed)
    let moving = false
    // While it plays slowly, a row stands for several frames of the screen: it is drawn once.
    if (this.dirty) {
      this.dirty = false
      moving = this.view?.draw() ?? false
      // What was drawn in a frame is seen when the next one begins.
      if (this.first) requestAnimationFrame(this.first)
      this.first = null
    }
    this.asked = !this.gone && (this.player.playing || moving || this.dirty) ? requestAnimationFrame(this.tick) : 0
    const took = performance.now() - begun
    this.pace.frames++
    this.pace.sum += took
    if (took > this.pace.worst) this.pace.worst = took
  }

  /** Ends it for good: the player may go on telling, and nothing is drawn for it. */
  dispose(): void {
    this.gone = true
    if (this.asked !== 0) cancelAnimationFrame(this.asked)
    this.asked = 0
    this.view = null
    this.first = null
  }
}
