// Measuring in the scene of a capture: what is plotted, and that it is what numpy finds in the CSV of the frames.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect } from 'vitest'
import { accessible, open, picture, served, useBrowser } from './browser'
import { recorded, walkTRC } from './motion'
import { numpy, testOfNumpy } from './numpy'

let walk: string

/** written keeps the numbers with a unit that the figure draws, of its last picture. */
async function written(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const all: string[] = []
    Object.assign(globalThis, { drawn: all })
    const { fillText, clearRect } = CanvasRenderingContext2D.prototype
    const over = (pen: CanvasRenderingContext2D) => pen.canvas.classList.contains('stage-over')
    const now = () => (globalThis as unknown as { drawn: string[] }).drawn
    CanvasRenderingContext2D.prototype.clearRect = function (...box) { if (over(this)) now().length = 0; clearRect.apply(this, box) }
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) { if (over(this) && / m$|°$/.test(text)) now().push(text); fillText.call(this, text, x, y) }
  })
}

const drawn = (page: Page) => page.evaluate(() => (globalThis as unknown as { drawn: string[] }).drawn)

describe('measuring', () => {
  useBrowser()
  beforeAll(async () => {
    walk = await recorded('measured.trc', walkTRC())
  })

  testOfNumpy('plots distances and angles, which are those of the frames, and keeps them in the address alone', async () => {
    const page = await open(`/captures/${walk}?plot=&numbers=1`, { still: true, before: written })
    await page.getByRole('group', { name: 'Camera' }).waitFor()
    const form = page.locator('details.measure')
    await form.getByText('Measure', { exact: true }).click()
    const choose = async (what: string, points: Record<string, string>) => {
      await form.getByLabel('What').selectOption(what)
      for (const [place, name] of Object.entries(points)) await form.getByLabel(place, { exact: true }).selectOption(name)
      await form.getByRole('button', { name: 'Plot it' }).click()
    }
    await choose('distance', { From: 'LASI', To: 'RASI' })
    await choose('angle', { 'One side': 'LASI', At: 'LKNE', 'Other side': 'LANK' })
    // A point that is chosen in the scene fills the next free place.
    await form.getByLabel('What').selectOption('lean')
    await page.locator('.stage-options').getByRole('combobox', { name: 'Point' }).selectOption({ label: 'RKNE' })
    await expect.poll(() => form.getByLabel('From').inputValue()).toBe('RKNE')
    await choose('lean', { To: 'RANK' })
    await page.waitForURL((u) => u.searchParams.getAll('measure').join() === 'distance/LASI/RASI,angle/LASI/LKNE/LANK,lean/+z/RKNE/RANK')

    const text = await (await fetch(`${served.url}/v1/captures/${walk}/frames?channels=LASI,RASI,LKNE,LANK,RKNE,RANK`, { headers: { Authorization: `Bearer ${served.token}`, Accept: 'text/csv' } })).text()
    const found = numpy<number[][]>(`
import csv, io
rows = list(csv.DictReader(io.StringIO(given)))
def p(name): return np.array([[float(r[name + '_' + a] or 'nan') for a in 'xyz'] for r in rows])
def angle(u, v): return np.degrees(np.arccos((u * v).sum(1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)))
all = [np.linalg.norm(p('LASI') - p('RASI'), axis=1), angle(p('LASI') - p('LKNE'), p('LANK') - p('LKNE')), angle(p('RANK') - p('RKNE'), np.array([[0, 0, 1.0]]))]
found = [[np.nanmin(v), np.nanmax(v), np.nanmean(v)] for v in all]`, text)
    const names = ['Distance LASI – RASI', 'Angle LASI – LKNE – LANK', 'RKNE → RANK to the vertical +Z']
    for (const [i, name] of names.entries()) {
      const cells = page.getByRole('table', { name: `${name} in the time shown` }).locator('tbody td')
      await expect.poll(async () => (await cells.allInnerTexts()).slice(0, 3)).toEqual(found[i]!.map((v) => String(Number(v.toPrecision(6)))))
      await page.getByRole('figure', { name: `Course of ${name} in ${i === 0 ? 'm' : 'deg'}` }).waitFor()
    }
    expect(await page.getByRole('table', { name: `${names[2]} in the time shown` }).locator('tbody td').last().innerText()).toBe('20')
    // The figure has the numbers of the frame beside the lines, and so has paper.
    await page.getByRole('slider', { name: 'Frame' }).fill('30')
    const numbers = numpy<string[]>(`
import csv, io
r = list(csv.DictReader(io.StringIO(given)))[30]
def p(name): return np.array([float(r[name + '_' + a]) for a in 'xyz'])
def angle(u, v): return np.degrees(np.arccos(u @ v / np.linalg.norm(u) / np.linalg.norm(v)))
found = ['%.3f m' % np.linalg.norm(p('LASI') - p('RASI')), '%.1f°' % angle(p('LASI') - p('LKNE'), p('LANK') - p('LKNE')), '%.1f°' % angle(p('RANK') - p('RKNE'), np.array([0, 0, 1.0]))]`, text)
    await expect.poll(() => drawn(page)).toEqual(numbers)
    await page.locator('.stage-canvas').scrollIntoViewIfNeeded()
    await picture(page, 'measured-scene')
    await page.evaluate(() => { Object.assign(globalThis, { drawn: [] }); dispatchEvent(new Event('beforeprint')) })
    expect(await drawn(page)).toEqual(numbers)
    await accessible(page)
    // So has the picture of a report: where the measures are left out of it, it is another one.
    const report = await open(`/report?capture=${walk}&picture=30&${new URL(page.url()).searchParams.getAll('measure').map((m) => `measure=${encodeURIComponent(m)}`).join('&')}`)
    const image = async () => (await report.getByRole('img', { name: /The scene at/ }).getAttribute('src'))!
    const ruled = await image()
    await report.reload()
    expect(await image()).toBe(ruled)
    await report.goto(new URL(`/report?capture=${walk}&picture=30`, report.url()).href)
    expect(await image()).not.toBe(ruled)
    // The address is enough, and closing a plot takes the measure out of it.
    await page.reload()
    await page.getByRole('figure', { name: `Course of ${names[1]} in deg` }).waitFor()
    await page.getByRole('button', { name: `Close the plot of ${names[0]}` }).click()
    await page.waitForURL((u) => u.searchParams.getAll('measure').length === 2)
  })
})
