// One plot: the courses of a channel's columns over time, drawn by uPlot.

import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

import { decimate, lone } from '../data/decimate'

export interface Look {
  text: string
  grid: string
  event: string
  series: string[]
}

export interface Mark {
  time: number
  label: string
}

export interface Courses {
  time: Float64Array
  columns: Float32Array[]
}

export interface Listeners {
  zoom: (from: number, to: number) => void
  seek: (time: number) => void
}

const height = 164

export class Chart {
  private readonly plot: uPlot
  private readonly now: HTMLDivElement
  private courses: Courses = { time: new Float64Array(0), columns: [] }
  private range: [number, number]
  private width = 0

  constructor(
    private readonly host: HTMLElement,
    names: string[],
    unit: string,
    private readonly whole: [number, number],
    private marks: Mark[],
    private look: Look,
    on: Listeners,
    group: string,
  ) {
    this.range = whole
    this.now = document.createElement('div')
    this.now.className = 'plot-now'
    let pressed = -1
    this.plot = new uPlot(
      {
        width: Math.max(200, host.clientWidth),
        height,
        legend: { show: false },
        padding: [18, 12, 0, 0],
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
          { stroke: () => this.look.text, grid: { stroke: () => this.look.grid, width: 1 }, ticks: { show: false }, size: 30, font: '11px system-ui', values: (_u, at) => at.map((v) => `${trim(v)} s`) },
          { stroke: () => this.look.text, grid: { stroke: () => this.look.grid, width: 1 }, ticks: { show: false }, size: 62, font: '11px system-ui', labelFont: '11px system-ui', label: unit, labelSize: unit ? 16 : 0, labelGap: 2, space: 26, values: (_u, at) => at.map(trim) },
        ],
        series: [{}, ...names.map((label, i) => ({ label, width: 1.4, spanGaps: false, points: { show: false, size: 4, filter: (u: uPlot, at: number) => lone(u.data[at]!) }, stroke: () => this.look.series[i % this.look.series.length]! }))],
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
          draw: [(u) => this.events(u)],
        },
      },
      [[], ...names.map(() => [])],
      host,
    )
    this.plot.over.append(this.now)
    this.plot.over.addEventListener('pointerdown', (e) => (pressed = e.clientX))
    this.plot.over.addEventListener('click', (e) => {
      if (Math.abs(e.clientX - pressed) < 4) on.seek(this.plot.posToVal(e.clientX - this.plot.over.getBoundingClientRect().left, 'x'))
    })
  }

  /** The lines and names of events, that stand above the plot where there is room. */
  private events(u: uPlot): void {
    const pen = u.ctx
    const { left, top, width, height } = u.bbox
    const ratio = devicePixelRatio
    pen.save()
    pen.strokeStyle = this.look.event
    pen.fillStyle = this.look.event
    pen.lineWidth = ratio
    pen.font = `${11 * ratio}px system-ui`
    pen.textBaseline = 'bottom'
    let free = -Infinity
    for (const mark of this.marks) {
      const x = Math.round(u.valToPos(mark.time, 'x', true))
      if (x < left || x > left + width) continue
      pen.beginPath()
      pen.setLineDash([4 * ratio, 3 * ratio])
      pen.moveTo(x, top)
      pen.lineTo(x, top + height)
      pen.stroke()
      const wide = pen.measureText(mark.label).width
      const at = Math.min(x + 2 * ratio, left + width - wide)
      if (at < free) continue
      pen.fillText(mark.label, at, top - 2 * ratio)
      free = at + wide + 6 * ratio
    }
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
    const buckets = Math.max(100, Math.round(this.plot.over.clientWidth * Math.min(devicePixelRatio, 2)))
    const c = decimate(this.courses.time, this.courses.columns, from, to, buckets)
    this.plot.setData([c.x, ...c.y])
  }

  /** Moves the line of the time that is shown in the scene. */
  at(time: number): void {
    const x = this.plot.valToPos(time, 'x')
    this.now.style.transform = `translateX(${x}px)`
    this.now.style.visibility = x >= 0 && x <= this.plot.over.clientWidth ? 'visible' : 'hidden'
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
    this.plot.setSize({ width, height })
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

function trim(v: number): string {
  const a = Math.abs(v)
  if (a >= 1e5 || (a > 0 && a < 1e-3)) return v.toExponential(1)
  return String(Math.round(v * 1e4) / 1e4)
}
