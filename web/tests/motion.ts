// Movements for tests: a figure that walks, in the two forms that are easily
// written, and how they come into the server.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { served } from './browser'

type Spot = [x: number, y: number, z: number] // millimetres, z upwards

/** Where the markers of somebody who walks along x are, some seconds after the start. */
function walker(t: number): Record<string, Spot> {
  const way = 1200 * t - 600
  const all: Record<string, Spot> = {}
  const put = (name: string, x: number, y: number, z: number) => { all[name] = [way + x, y, z] }
  put('C7', -40, 0, 1430)
  put('T10', -60, 0, 1200)
  put('CLAV', 60, 0, 1380)
  put('STRN', 90, 0, 1230)
  for (const [side, y, phase] of [['L', 1, 0], ['R', -1, Math.PI]] as const) {
    const a = 5.6 * t + phase
    const thigh = 0.45 * Math.sin(a)
    const shin = thigh - 0.35 * (1 - Math.cos(a + 0.6))
    const knee: Spot = [420 * Math.sin(thigh), y * 100, 900 - 420 * Math.cos(thigh)]
    const ankle: Spot = [knee[0] + 400 * Math.sin(shin), y * 90, knee[2] - 400 * Math.cos(shin)]
    const arm = -0.4 * Math.sin(a)
    put(`${side}FHD`, 110, y * 70, 1640)
    put(`${side}BHD`, -80, y * 70, 1640)
    put(`${side}SHO`, 0, y * 190, 1420)
    put(`${side}ELB`, 290 * Math.sin(arm), y * 250, 1420 - 290 * Math.cos(arm))
    put(`${side}WRA`, 290 * Math.sin(arm) + 250 * Math.sin(arm + 0.4), y * 260, 1420 - 290 * Math.cos(arm) - 250 * Math.cos(arm + 0.4))
    put(`${side}ASI`, 100, y * 130, 960)
    put(`${side}PSI`, -100, y * 60, 980)
    put(`${side}KNE`, ...knee)
    put(`${side}ANK`, ...ankle)
    put(`${side}HEE`, ankle[0] - 60, y * 90, Math.max(20, ankle[2] - 40))
    put(`${side}TOE`, ankle[0] + 140, y * 100, Math.max(15, ankle[2] - 60))
  }
  return all
}

export const frames = 120
export const rate = 100
/** Rows in which a marker was not seen. */
export const gap = { marker: 'RKNE', from: 40, to: 60 }

function spots(frame: number): [string, Spot | null][] {
  return Object.entries(walker(frame / rate)).map(([name, spot]) => [name, name === gap.marker && frame >= gap.from && frame < gap.to ? null : spot])
}

/** leapCSV is the vertical force of a countermovement jump, 1,000 samples a second; push is how hard, in body weights. */
export function leapCSV(push = 1.2): Buffer {
  const weight = 700
  const force: number[] = []
  const add = (seconds: number, of: (part: number) => number) => {
    const n = Math.round(seconds * 1000)
    for (let i = 0; i < n; i++) force.push(weight * of(i / n))
  }
  const still = () => 1 + 0.001 * Math.sin(force.length)
  add(1.3, still)
  add(0.4, (part) => 1 - 0.5 * Math.sin(Math.PI * part))
  add(0.45, (part) => 1 + push * Math.sin(Math.PI * part))
  const speed = force.reduce((sum, f) => sum + (f - weight) / weight * 9.80665 / 1000, 0)
  add(2 * speed / 9.80665, () => 0)
  add(0.3, (part) => 4 * Math.sin(Math.PI * (0.02 + 0.98 * part)))
  add(1, still)
  return Buffer.from(['time (s),Fz (N)', ...force.map((f, i) => `${(i / 1000).toFixed(3)},${f.toFixed(3)}`), ''].join('\n'))
}

/** walkTRC is the walk as a TRC file. */
export function walkTRC(): Buffer {
  const names = spots(0).map(([name]) => name)
  const lines = [
    'PathFileType\t4\t(X/Y/Z)\twalk.trc',
    'DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames',
    `${rate}\t${rate}\t${frames}\t${names.length}\tmm\t${rate}\t1\t${frames}`,
    `Frame#\tTime\t${names.join('\t\t\t')}\t\t`,
    `\t\t${names.map((_, i) => `X${i + 1}\tY${i + 1}\tZ${i + 1}`).join('\t')}`,
    '',
  ]
  for (let f = 0; f < frames; f++) lines.push([f + 1, (f / rate).toFixed(2), ...spots(f).flatMap(([, s]) => s?.map((v) => v.toFixed(3)) ?? ['', '', ''])].join('\t'))
  return Buffer.from(`${lines.join('\n')}\n`)
}

/** turned is the walk of somebody who goes another way: degrees about the axis that points upwards. */
export function turned(degrees: number): Buffer {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const lines = walkTRC().toString().split('\n')
  return Buffer.from(lines.map((line, n) => {
    const cells = line.split('\t')
    if (n < 5 || cells.length < 5) return line
    for (let i = 2; i + 2 < cells.length; i += 3) {
      if (cells[i] === '') continue
      const [x, y] = [Number(cells[i]), Number(cells[i + 1])]
      cells[i] = (x * cos - y * sin).toFixed(3)
      cells[i + 1] = (x * sin + y * cos).toFixed(3)
    }
    return cells.join('\t')
  }).join('\n'))
}

/** stepsCSV is the walk with so many events, left and right in turn. */
export function stepsCSV(events: number): Buffer {
  const walk = walkCSV().toString()
  const from = walk.indexOf('Ann,Left,Foot Strike')
  const lines = Array.from({ length: events }, (_, i) => `Ann,${i % 2 ? 'Right' : 'Left'},${i % 4 < 2 ? 'Foot Strike' : 'Foot Off'},${(0.05 + (1.1 * i) / events).toFixed(2)},`)
  return Buffer.from(`${walk.slice(0, from)}${lines.join('\n')}\n`)
}

/** Of the force plate in walkCSV: one peak among its samples, between two frames. */
export const peak = 4321

/** walkCSV is the walk as capture software writes it, with a force plate at 1,000 Hz, an angle and events. */
export function walkCSV(): Buffer {
  const names = spots(0).map(([name]) => name)
  const lines = ['Devices', '1000', ',,Force Plate - Force,,', 'Frame,Sub Frame,Fx,Fy,Fz', ',,N,N,N']
  for (let i = 0; i < frames * 10; i++) lines.push(`${1 + Math.floor(i / 10)},${i % 10},0,0,${i === 333 ? peak : (800 * Math.max(0, Math.sin(i / 120))).toFixed(2)}`)
  lines.push('', 'Trajectories', String(rate), `,,${names.map((n) => `Ann:${n}`).join(',,,')},,`, `Frame,Sub Frame,${names.map(() => 'X,Y,Z').join(',')}`, `,,${names.map(() => 'mm,mm,mm').join(',')}`)
  for (let f = 0; f < frames; f++) lines.push([f + 1, 0, ...spots(f).flatMap(([, s]) => s?.map((v) => v.toFixed(3)) ?? ['', '', ''])].join(','))
  lines.push('', 'Model Outputs', String(rate), ',,Ann:LKneeAngles,,', 'Frame,Sub Frame,X,Y,Z', ',,deg,deg,deg')
  for (let f = 0; f < frames; f++) lines.push(`${f + 1},0,${(30 + 30 * Math.sin(f / 18)).toFixed(3)},1,2`)
  lines.push('', 'Events', String(rate), 'Subject,Context,Name,Time (s),Description', 'Ann,Left,Foot Strike,0.25,', 'Ann,Right,Foot Off,0.80,', '')
  return Buffer.from(lines.join('\n'))
}

/** call asks the interface itself. */
export async function call(method: string, path: string, body?: unknown, token = served.token): Promise<Response> {
  return fetch(`${served.url}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** reserve makes a capture that awaits its file. */
export async function reserve(name: string, attributes: Record<string, string> = { activity: 'jump', movement: 'squat' }, time?: string): Promise<{ session_id: string; upload_url: string; upload_fields: Record<string, string> }> {
  const answer = await call('POST', '/captures', {
    file_name: name, movement_attributes: attributes, ...(time ? { capture_time: time } : {}),
    ...(name.endsWith('.mp4') ? { camera_configuration: { camera_setup_selection: 'single', camera_orientation: 'portrait' } } : {}),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Awaited<ReturnType<typeof reserve>>
}

/** send brings the file of a capture that awaits it. */
export async function send(to: Awaited<ReturnType<typeof reserve>>, name: string, file: Uint8Array): Promise<void> {
  const form = new FormData()
  for (const [field, value] of Object.entries(to.upload_fields)) form.set(field, value)
  form.set('file', new Blob([Uint8Array.from(file)]), name)
  const answer = await fetch(to.upload_url, { method: 'POST', body: form })
  expect(answer.status).toBeLessThan(300)
}

/** recorded brings a file in and waits until it has been read; it gives the capture's id. */
export async function recorded(name: string, file: Uint8Array, attributes?: Record<string, string>, time?: string): Promise<string> {
  const place = await reserve(name, attributes, time)
  await send(place, name, file)
  for (const late = Date.now() + 90_000; ; await new Promise((go) => setTimeout(go, 100))) {
    const { status } = (await (await call('GET', `/captures/${place.session_id}`)).json()) as { status: string }
    if (status === 'completed' || status === 'error') break
    if (Date.now() > late) throw new Error(`${name} was not read: ${status}`)
  }
  return place.session_id
}

/** testOfRealFiles is a test where KINEBASE_TEST_MOTION names a folder of real motion files, which are not part of the project. In CI it must. */
export function testOfRealFiles(name: string, body: (folder: string) => Promise<void>): void {
  const folder = process.env.KINEBASE_TEST_MOTION
  if (folder) test(name, () => body(folder))
  else if (process.env.CI === 'true') test(name, () => expect.fail('KINEBASE_TEST_MOTION must name the folder of the real files'))
}

/** ready waits until the scene is drawn. */
export async function ready(page: Page): Promise<void> {
  await page.getByRole('group', { name: 'Camera' }).waitFor()
}

/** demo finds a recording of the demo by the name of its file, as soon as it has been read. */
export async function demo(activity: string, file: string): Promise<string> {
  for (const late = Date.now() + 40_000; Date.now() < late; await new Promise((go) => setTimeout(go, 200))) {
    const { captures } = (await (await call('GET', `/captures?activity=${activity}&status=completed&limit=100`)).json()) as { captures: { session_id: string }[] }
    for (const { session_id } of captures) {
      const motion = await call('GET', `/captures/${session_id}/motion`)
      if (motion.ok && ((await motion.json()) as { file_name: string }).file_name === file) return session_id
    }
  }
  throw new Error(`the demo has no ${file}`)
}

/** shown reads where a point is, as the screen says it. */
export async function shown(page: Page, point: string): Promise<number[]> {
  await page.getByRole('combobox', { name: 'Point' }).selectOption({ label: point })
  await page.locator('.stage-chosen strong', { hasText: point }).waitFor()
  const place = page.locator('.stage-chosen span')
  await expect.poll(() => place.textContent()).not.toBe('')
  const text = (await place.textContent()) ?? ''
  return [...text.matchAll(/-?\d+\.\d+/g)].map((m) => Number(m[0]))
}
