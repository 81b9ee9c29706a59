// One plot: the courses of a channel's columns over time, drawn by uPlot.

import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

import type { Numbers } from '../data/binary'
import { decimate, lone } from '../data/decimate'
import type { Side } from '../skeleton/names'
import { placeNames, type Mark, type Placed } from './events'
import type { Range } from './range'
import { ticks } from './ticks'
import { touches } from './touch'

export interface Look {
  text: string
  grid: string
  events: Record<Side, string> // by the side on which they happened
  series: string[]
}

export interface Courses {
  time: Float64Array
  columns: Numbers[]
}

export interface Listeners {
  zoom: (from: number, to: number) => void
  seek: (time: number) => void
}

const area = 116 // pixels of height for the courses alone, without names of events and times
const below = 30 // of the times
const beside = 62 // of the values, left of the courses
const besideWide = 108 // of values with the digits of 64 bits
const room = 12 // right of them
const line = 13 // of one line of names of events
const font = '11px system-ui'

export class Chart {
  private readonly plot: uPlot
  private readonly now: HTMLDivElement
  private courses: Courses = { time: new Float64Array(0), columns: [] }
  private readonly beside: number
  private range: Range
  private width = 0
  private time = NaN // that is shown in the scene
  private top = 0 // pixels above the courses, for the names of events
  private names: (Placed | null)[] = []

  constructor(
    private readonly host: HTMLElement,
    names: string[],
    private readonly unit: string,
    wide: boolean,
    private readonly whole: Range,
    private readonly marks: readonly Mark[],
    private look: Look,
    on: Listeners,
    group: string,
  ) {
    this.range = whole
    this.beside = wide ? besideWide : beside
    this.now = document.createElement('div')
    this.now.className = 'plot-now'
    let pressed = -1
    this.placeNames()
    this.plot = new uPlot(
      {
        width: Math.max(200, host.clientWidth),
        height: this.height,
        legend: { show: false },
        padding: [() => this.top, room, 0, 0],
        cursor: {
          sync: { key: group, setSeries: false },
          drag: { x: true, y: false, setScale: false, click: () => undefined },
          points: { size: 6 },
          bind: {
            dblclick: () => () => {
              on.zoom(...this.whole)
              return null
            },
          },
        },
        scales: { x: { time: false, range: () => this.range }, y: { range: (_u, low, high) => padded(low, high) } },
        axes: [
          {
            stroke: () => this.look.text,
            grid: { stroke: () => this.look.grid, width: 1 },
            ticks: { show: false },
            size: below,
            font,
            values: (_u, at) => ticks(at).map((v) => `${v} s`),
          },
          {
            stroke: () => this.look.text,
            grid: { stroke: () => this.look.grid, width: 1 },
            ticks: { show: false },
            size: this.beside,
            font,
            labelFont: font,
            label: unit,
            labelSize: unit ? 16 : 0,
            labelGap: 2,
            space: 26,
            values: (_u, at) => ticks(at),
          },
        ],
        series: [
          {},
          ...names.map((label, i) => ({
            label,
            width: 1.4,
            spanGaps: false,
            points: { show: false, size: 4, filter: (u: uPlot, at: number) => lone(u.data[at]!) },
            stroke: () => this.look.series[i % this.look.series.length]!,
          })),
        ],
        hooks: {
          setSelect: [
            (u) => {
              if (u.select.width < 4) return
              const from = u.posToVal(u.select.left, 'x')
              const to = u.posToVal(u.select.left + u.select.width, 'x')
              u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
              on.zoom(from, to)
            },
          ],
          // What was asked for a moment ago is drawn now: only here are the scales those that are seen.
          draw: [
            (u) => {
              this.events(u)
              this.stand()
            },
          ],
        },
      },
      [[], ...names.map(() => [])],
      host,
    )
    this.plot.over.append(this.now)
    touches(this.plot.over, { range: () => this.range, whole, zoom: on.zoom, seek: on.seek })
    this.plot.over.addEventListener('pointerdown', (e) => (pressed = e.clientX))
    this.plot.over.addEventListener('click', (e) => {
      if (Math.abs(e.clientX - pressed) < 4)
        on.seek(this.plot.posToVal(e.clientX - this.plot.over.getBoundingClientRect().left, 'x'))
    })
  }

  /** The height of everything: names of events take none away from the courses. */
  private get height(): number {
    return this.top + area + below
  }

  /** The width of the courses. */
  private get inner(): number {
    return Math.max(200, this.host.clientWidth) - this.beside - (this.unit ? 16 : 0) - room
  }

  /** Finds room for the names of the events that are seen. */
  private placeNames(): void {
    const [from, to] = this.range
    const shown = this.marks.filter((m) => m.time >= from && m.time <= to)
    const pen = document.createElement('canvas').getContext('2d')
    if (pen) pen.font = font
    const placed = placeNames(
      shown,
      shown.map((m) => ((m.time - from) / (to - from)) * this.inner),
      this.inner,
      (t) => pen?.measureText(t).width ?? 0,
    )
    const found = new Map(shown.map((m, i) => [m, placed[i]!]))
    this.names = this.marks.map((m) => found.get(m) ?? null)
    this.top = 5 + line * Math.max(1, ...placed.map((p) => (p ? p.line + 1 : 0)))
    this.host.dataset.named = String(placed.filter((p) => p !== null).length)
  }

  /** The lines of events, and their names above the plot, each in the colour of its side. */
  private events(u: uPlot): void {
    const pen = u.ctx
    const { left, top, width, height } = u.bbox
    const ratio = devicePixelRatio
    pen.save()
    // A line that stands between two dots of the screen would be pale.
    const wide = Math.max(1, Math.round(ratio))
    pen.lineWidth = wide
    pen.font = `${11 * ratio}px system-ui`
    pen.textBaseline = 'bottom'
    pen.textAlign = 'left'
    this.marks.forEach((mark, i) => {
      const x = Math.round(u.valToPos(mark.time, 'x', true))
      if (x < left || x > left + width) return
      pen.strokeStyle = pen.fillStyle = this.look.events[mark.side]
      const name = this.names[i]
      const from = name ? top - (2 + line * name.line) * ratio : top
      pen.beginPath()
      pen.setLineDash([4 * ratio, 3 * ratio])
      pen.moveTo(x + (wide % 2) / 2, from)
      pen.lineTo(x + (wide % 2) / 2, top + height)
      pen.stroke()
      if (name) pen.fillText(name.text, left + name.x * ratio, from)
    })
    pen.restore()
  }

  setCourses(courses: Courses): void {
    this.courses = courses
    this.redraw()
  }

  /** Shows a stretch of time. */
  zoom(from: number, to: number): void {
    this.range = [from, to]
    this.redraw()
  }

  private redraw(): void {
    const [from, to] = this.range
    const before = this.top
    this.placeNames()
    if (this.top !== before) this.plot.setSize({ width: this.plot.width, height: this.height })
    const buckets = Math.max(100, Math.round(this.inner * Math.min(devicePixelRatio, 2)))
    const c = decimate(this.courses.time, this.courses.columns, from, to, buckets)
    this.plot.setData([c.x, ...c.y])
  }

  /** Moves the line of the time that is shown in the scene. */
  at(time: number): void {
    this.time = time
    this.stand()
  }

  /**
   * Puts the line of the time where it belongs on the scales that are drawn. uPlot draws
   * a moment after it is told, so that this is done again with everything that it draws.
   */
  private stand(): void {
    const x = this.plot.valToPos(this.time, 'x')
    this.now.style.transform = `translateX(${x}px)`
    // To ask the element how wide it is would have the page laid out in each frame, for each plot.
    const width = this.plot.bbox.width / uPlot.pxRatio
    this.now.style.visibility = x >= 0 && x <= width ? 'visible' : 'hidden'
  }

  /** Shows or hides one of the courses. */
  show(course: number, shown: boolean): void {
    this.plot.setSeries(course + 1, { show: shown })
  }

  paint(look: Look): void {
    this.look = look
    this.plot.redraw(false, true)
  }

  resize(): void {
    const width = this.host.clientWidth
    if (width < 100 || width === this.width) return
    this.width = width
    this.plot.setSize({ width, height: this.height })
    this.redraw()
  }

  dispose(): void {
    this.plot.destroy()
  }
}

/** A little room above and below, and some where nothing changes. */
function padded(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || low - low !== 0 || high - high !== 0) return [0, 1]
  const room = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1
  return [low - room, high + room]
}
