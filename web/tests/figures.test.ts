// Two captures of a comparison as figures: together at an event and at the pelvis, with one player and one camera.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessible, open, picture, served, trc, useBrowser } from './browser'
import { call, frames, rate, recorded, stepsCSV, turned } from './motion'
import { numpy, testOfNumpy } from './numpy'

let steps: string
let other: string
let across: string

const address = (a: string, b: string, more = '') => `/compare?capture=${a}&capture=${b}&figures=0.1${more}`
const figures = (page: Page) => page.getByRole('region', { name: 'Two figures' })
const told = (page: Page) => figures(page).getByRole('list', { name: 'Figures' }).getByRole('status').allInnerTexts()
const ready = (page: Page) => page.waitForFunction(() => performance.getEntriesByName('figures-shown').length > 0)

/** inks is how many pixels of a scene have the colour of either figure, in light. */
async function inks(page: Page, pane = 0): Promise<number[]> {
  const bytes = await figures(page).locator('.stage-view').nth(pane).screenshot()
  return page.evaluate(async (data) => {
    const image = Object.assign(new Image(), { src: data })
    await image.decode()
    const pen = new OffscreenCanvas(image.width, image.height).getContext('2d')!
    pen.drawImage(image, 0, 0)
    const all = pen.getImageData(0, 0, image.width, image.height).data
    // Blue, and orange: what is shaded keeps which of its parts is the most.
    const count = [0, 0]
    for (let i = 0; i < all.length; i += 4) {
      const [r, g, b] = [all[i]!, all[i + 1]!, all[i + 2]!]
      if (b > r + 60 && b > g + 40) count[0]!++
      if (r > b + 60 && r > g + 25) count[1]!++
    }
    return count
  }, `data:image/png;base64,${bytes.toString('base64')}`)
}

describe('two figures of a comparison', () => {
  useBrowser()
  beforeAll(async () => {
    // The same events at other times: the second walk has twelve of them where the first has eight.
    ;[steps, other, across] = (await Promise.all([recorded('first.csv', stepsCSV(8)), recorded('second.csv', stepsCSV(12)), recorded('across.trc', turned(70))])) as [string, string, string]
  })

  test('are chosen, laid together at an event that both have, and told apart by colour and name', async () => {
    const page = await open(`/compare?capture=${steps}&capture=${other}&capture=${across}`, { still: true })
    await page.getByRole('button', { name: 'Two figures in one scene' }).click()
    await ready(page)
    await figures(page).getByRole('combobox', { name: 'One moment' }).selectOption('L Foot Off')
    await expect.poll(() => page.url()).toContain('figures=0.1&figures_at=L+Foot+Off')
    const motions = await Promise.all([steps, other].map(async (id) => (await (await call('GET', `/captures/${id}/motion`)).json()) as { events: { label: string; context: string; time: number }[] }))
    const moments = motions.map((m) => Math.min(...m.events.filter((e) => e.label === 'Foot Off' && e.context.toLowerCase() === 'left').map((e) => e.time)))
    expect(moments[0]).not.toBeCloseTo(moments[1]!, 2)
    const nearest = moments.map((m) => Math.round(m * rate))
    await expect.poll(() => told(page)).toEqual(nearest.map((row) => `${(row / rate).toFixed(3)} s, frame ${row}`))
    await figures(page).getByText('0.000 s after “L Foot Off”; the pelvises are 0 mm apart').waitFor()
    await expect.poll(async () => (await inks(page)).every((n) => n > 300)).toBe(true)
    await accessible(page)
    await picture(page, 'figures-over')
    // Another frame is one step of both.
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => told(page)).toEqual(nearest.map((row) => `${((row + 1) / rate).toFixed(3)} s, frame ${row + 1}`))
    // By the last frame of the second one the first has ended, and is drawn no more.
    await page.keyboard.press('End')
    const ends = moments.map((m) => (frames - 1) / rate - m)
    const [longer, shorter] = ends[0]! > ends[1]! ? [0, 1] : [1, 0]
    await expect.poll(async () => (await told(page))[shorter]).toBe('has ended')
    expect((await told(page))[longer]).toBe(`${((frames - 1) / rate).toFixed(3)} s, frame ${frames - 1}`)
    await expect.poll(async () => (await inks(page))[shorter]).toBeLessThan(20)
    expect((await inks(page))[longer]).toBeGreaterThan(300)
    await page.keyboard.press('Home')
    await expect.poll(async () => (await told(page))[longer]).toBe('has not begun')
    expect((await told(page))[shorter]).toBe('0.000 s, frame 0')
    // Of captures that lack the event nothing is shown, and that is said.
    await figures(page).getByRole('combobox', { name: 'Second' }).selectOption(across)
    await figures(page).getByText('across.trc: there is no event “L Foot Off”. Choose another moment.').waitFor()
    await figures(page).getByRole('button', { name: 'Hide' }).click()
    await expect.poll(() => page.url()).not.toContain('figures')
  })

  testOfNumpy('go the same way when one was recorded at an angle to the other, and are so far apart as numpy says', async () => {
    const page = await open(address(steps, across), { still: true })
    await ready(page)
    await figures(page).getByText('the pelvises are 0 mm apart').waitFor()
    const text = async () => (await figures(page).getByText(/the pelvises are/).textContent())!
    for (let n = 0; n < 6; n++) await page.keyboard.press('l')
    await figures(page).getByText('0.600 s after the first frame').waitFor()
    // The same walk: once it is turned it goes the same way.
    expect(await text()).toMatch(/apart$/)
    expect(await text()).toContain('the pelvises are 0 mm apart')
    await figures(page).getByRole('combobox', { name: 'One place' }).selectOption('As they were recorded')
    await expect.poll(() => page.url()).toContain('figures_hold=recorded')
    const csv = await Promise.all([steps, across].map(async (id) => {
      const answer = await fetch(`${served.url}/v1/captures/${id}/frames?from=60&to=61`, { headers: { Authorization: `Bearer ${served.token}`, Accept: 'text/csv' } })
      return answer.text()
    }))
    const apart = numpy<number>(`
import csv, io
places = []
for text in given:
    r = next(csv.DictReader(io.StringIO(text)))
    col = lambda n: next(float(v) for k, v in r.items() if k.split(':')[-1] == n)
    places.append(np.mean([[col(p + '_' + a) for a in 'xyz'] for p in ('LASI', 'RASI', 'LPSI', 'RPSI')], axis=0))
found = np.linalg.norm(places[0] - places[1]) `, csv)
    await expect.poll(text).toContain(`the pelvises are ${apart >= 1 ? `${Math.round(apart * 1000) / 1000} m` : `${Math.round(apart * 1e5) / 1000} cm`} apart`)
    expect(apart).toBeGreaterThan(0.05)
  })

  test('have scenes of their own beside each other, with one camera, and the address has frame, camera and all', async () => {
    const page = await open(address(steps, across, '&figures_lay=side&figures_hold=always'), { still: true })
    await ready(page)
    await expect.poll(async () => [(await inks(page, 0))[0]! > 300, (await inks(page, 1))[1]! > 300]).toEqual([true, true])
    await page.getByRole('button', { name: 'Right', exact: true }).click()
    await page.keyboard.press('l')
    await page.keyboard.press('l')
    // One camera: the two scenes show the same pose of the same walk at as many places.
    await expect.poll(async () => {
      const [a, b] = [(await inks(page, 0))[0]!, (await inks(page, 1))[1]!]
      return a > 300 && Math.abs(a - b) < 0.35 * a
    }).toBe(true)
    await expect.poll(() => page.url()).toMatch(/frame=20.*camera=|camera=.*frame=20/)
    await picture(page, 'figures-side')
    const sent = await open(new URL(page.url()).pathname + new URL(page.url()).search, { still: true })
    await ready(sent)
    expect(await told(sent)).toEqual(['0.200 s, frame 20', '0.200 s, frame 20'])
    // Five digits of the camera say where it stands to less than a pixel.
    await expect.poll(async () => {
      const [a, b] = [(await inks(page, 1))[1]!, (await inks(sent, 1))[1]!]
      return b > 300 && Math.abs(a - b) < 0.05 * a
    }).toBe(true)
    await sent.getByRole('combobox', { name: 'Along' }).selectOption('frames')
    await expect.poll(() => sent.url()).toContain('over=frames')
    expect(sent.url()).toContain('frame=20')
    expect(sent.url()).toContain('camera=')
  })

  test('say what cannot be laid together: no pelvis, nobody facing anywhere', async () => {
    const swing = await recorded('swing.trc', trc(30))
    const page = await open(address(steps, swing), { still: true })
    await ready(page)
    await figures(page).getByText(/In swing.trc no point of a pelvis has a name that is known: it stands where it was recorded/).waitFor()
    expect(await figures(page).getByText(/the pelvises are/).count()).toBe(0)
  })

  test('keep within the page of a phone, and play', async () => {
    const page = await open(address(steps, other, '&figures_at=L+Foot+Strike'), { width: 360, height: 740, touch: true })
    await ready(page)
    await figures(page).getByRole('button', { name: 'Play' }).click()
    const pace = async () => JSON.parse((await figures(page).getByRole('slider', { name: 'Frame' }).getAttribute('data-pace')) ?? 'null') as { frames: number; sum: number } | null
    await expect.poll(async () => (await pace())?.frames ?? 0).toBeGreaterThan(40)
    const { frames: n, sum } = (await pace())!
    expect(sum / n).toBeLessThan(60)
    await figures(page).getByRole('button', { name: 'Pause' }).click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await accessible(page)
    await picture(page, 'figures-phone')
  })
})
