// What is seen of a capture beside what is chosen: the frame, the stretch of time and the camera stand in the address
// too, so that who is sent it sees the same.

import { ups, type Up } from './scene/up'
import type { Range } from './plots/range'

/** What changes all the time is written once it has stood still for so many milliseconds. */
const still = 250

const waiting = new Map<string, string>()
let timer: ReturnType<typeof setTimeout> | undefined
let page = ''

/** note has the address say something soon; an empty text takes it out. Nothing is drawn again for it. */
export function note(name: 'frame' | 'time' | 'camera' | 'up', text: string): void {
  if (page !== location.pathname) waiting.clear()
  page = location.pathname
  waiting.set(name, text)
  clearTimeout(timer)
  timer = setTimeout(written, still)
}

/** written has the address say at once what is to be noted, and gives its query. */
export function written(): string {
  clearTimeout(timer)
  if (page !== location.pathname) waiting.clear()
  if (waiting.size === 0) return location.search
  const query = new URLSearchParams(location.search)
  for (const [name, text] of waiting) {
    if (text) query.set(name, text)
    else query.delete(name)
  }
  waiting.clear()
  const text = query.toString()
  history.replaceState(history.state, '', location.pathname + (text ? `?${text}` : '') + location.hash)
  return location.search
}

/** Seen is what an address says. */
export interface Seen {
  frame: number | null
  time: Range | null
  camera: number[] | null
  up: Up | null
}

/** So many numbers a camera has: where it stands, what it looks at, and whether it follows. */
const camera = 7

/** seenOf reads an address; what it does not understand is as if it were not there. */
export function seenOf(query: URLSearchParams): Seen {
  const numbers = (name: string) => (query.get(name) ?? '').split(',').map((t) => (t === '' ? NaN : Number(t)))
  const good = (all: number[], count: number) => all.length === count && all.every(Number.isFinite)
  const [frame, time, place] = [numbers('frame'), numbers('time'), numbers('camera')]
  return {
    frame: good(frame, 1) && Number.isInteger(frame[0]) && frame[0]! >= 0 ? frame[0]! : null,
    time: good(time, 2) && time[0]! < time[1]! ? [time[0]!, time[1]!] : null,
    camera: good(place, camera) ? place : null,
    up: ups.find((u) => u === query.get('up')) ?? null,
  }
}

/** cameraText writes a camera: five digits say where it is to less than a pixel. */
export function cameraText(place: readonly number[]): string {
  return place.map((v) => String(Number(v.toPrecision(5)))).join()
}
