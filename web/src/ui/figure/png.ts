// A figure as a picture: on white, with the colours of paper, whatever the screen has.

import { dashOf, inkOf, type Figure, type Ink } from './figure'

const paper: Record<string, string> = {
  text: '#3c434a',
  grid: '#dfe3e6',
  'series-0': '#c2452d',
  'series-1': '#2f6bd0',
  'series-2': '#2b8a4b',
  'series-3': '#97700f',
  'series-4': '#9443a8',
  'series-5': '#167f88',
}
const line = 20
/** Dots of the picture for each pixel of the figure: enough to print. */
const fine = 2

/** pictureOf paints a figure with a title and, below it, what its series are. */
export function pictureOf(f: Figure, title: string, series: readonly string[]): Promise<Blob> {
  const top = title ? 30 : 0
  const sheet = document.createElement('canvas')
  sheet.width = f.width * fine
  sheet.height = (top + f.height + series.length * line + 12) * fine
  const pen = sheet.getContext('2d')
  if (!pen) return Promise.reject(new Error('The browser paints no pictures.'))
  pen.scale(fine, fine)
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, sheet.width, sheet.height)
  pen.lineJoin = pen.lineCap = 'round'
  pen.fillStyle = '#181b1e'
  pen.font = '600 15px system-ui, sans-serif'
  pen.fillText(title, 8, 20, f.width - 16)
  pen.translate(0, top)
  pen.font = '12px system-ui, sans-serif'
  const colour = (ink: Ink) => paper[ink]!
  for (const m of f.marks) {
    pen.globalAlpha = m.kind === 'text' ? 1 : m.opacity
    if (m.kind === 'text') {
      pen.fillStyle = colour('text')
      pen.textAlign = m.anchor === 'middle' ? 'center' : m.anchor
      pen.fillText(m.text, m.x, m.y)
    } else if (m.kind === 'area') {
      pen.fillStyle = colour(m.ink)
      pen.fill(new Path2D(m.d))
    } else {
      pen.strokeStyle = colour(m.ink)
      pen.lineWidth = m.width
      pen.setLineDash(m.dash ? m.dash.split(' ').map(Number) : [])
      pen.stroke(new Path2D(m.d))
    }
  }
  pen.globalAlpha = 1
  pen.textAlign = 'start'
  series.forEach((name, n) => {
    const y = f.height + n * line + 8
    pen.strokeStyle = colour(inkOf(n))
    pen.lineWidth = 3
    const dash = dashOf(n)
    pen.setLineDash(dash ? dash.split(' ').map(Number) : [])
    pen.stroke(new Path2D(`M${f.left} ${y}h28`))
    pen.fillStyle = colour('text')
    pen.fillText(name, f.left + 38, y + 4, f.width - f.left - 46)
  })
  return new Promise((done, fail) =>
    sheet.toBlob((b) => (b ? done(b) : fail(new Error('The picture could not be made.'))), 'image/png'),
  )
}
