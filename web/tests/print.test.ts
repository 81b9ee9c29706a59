// What leaves the screen: a plot as a picture and as CSV, and a capture and a comparison on paper.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { open, served, useBrowser } from './browser'
import { recorded, stepsCSV } from './motion'

let gait: string

/** paged prints a page, and says how many sheets it takes. The paper is kept where somebody wants to look: with SHOTS=1. */
async function paged(page: Page, name: string, format: 'A4' | 'Letter'): Promise<number> {
  const pdf = await page.pdf({ format, printBackground: true, preferCSSPageSize: false })
  expect(pdf.subarray(0, 4).toString()).toBe('%PDF')
  if (process.env.SHOTS) {
    const shots = new URL('../shots/', import.meta.url).pathname
    mkdirSync(shots, { recursive: true })
    writeFileSync(`${shots}${name}-${format}.pdf`, pdf)
  }
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

/** onPaper shows a page as it is printed on a sheet of A4 without its margins, and gives what is seen of it. */
async function onPaper(page: Page, name: string): Promise<{ wide: number; buttons: number; nav: number; ground: string }> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.setViewportSize({ width: 688, height: 1017 })
  if (process.env.SHOTS) await page.screenshot({ path: new URL(`../shots/paper-${name}.png`, import.meta.url).pathname, fullPage: true })
  return page.evaluate(() => {
    const seen = (all: Iterable<Element>) => [...all].filter((e) => e.checkVisibility()).length
    return {
      wide: document.documentElement.scrollWidth,
      buttons: seen(document.querySelectorAll('#content .button, #content input, #content select')),
      nav: seen(document.querySelectorAll('.top')),
      ground: getComputedStyle(document.body.parentElement!).backgroundColor,
    }
  })
}

describe('a plot', () => {
  useBrowser()
  beforeAll(async () => {
    gait = await recorded('printed.csv', stepsCSV(12))
  })

  test('is saved as the rows of the frames that it shows, to the digit, and as a picture', async () => {
    const page = await open(`/captures/${gait}?plot=RKNE`, { still: true })
    const saved = async (button: string) => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()])
      return readFileSync((await file.path())!)
    }
    const theirs = await (await fetch(`${served.url}/v1/captures/${gait}/frames?channels=RKNE`, { headers: { Authorization: `Bearer ${served.token}`, Accept: 'text/csv' } })).text()
    const rows = theirs.trim().split(/\r?\n/).map((l) => l.split(',').slice(1).join())
    const ours = (await saved('CSV of RKNE')).toString().trim().split('\r\n')
    expect(ours).toEqual(rows)
    expect(ours[41]).toMatch(/^0\.4,,,$/)
    // A course that is hidden is not saved, nor is time that is not shown.
    await page.getByRole('figure', { name: /Course of RKNE/ }).getByRole('button', { name: /^y/ }).click()
    await page.getByRole('button', { name: 'Show less time' }).click()
    await expect.poll(async () => (await saved('CSV of RKNE')).toString().split('\r\n')[0]).toBe('time,RKNE_x,RKNE_z')
    expect((await saved('CSV of RKNE')).toString().split('\r\n').length).toBeLessThan(80)
    const picture = await saved('PNG of RKNE')
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    expect(picture.readUInt32BE(16)).toBe(1800)
  })
})

describe('on paper', () => {
  useBrowser()
  beforeAll(async () => {
    gait = await recorded('printed.csv', stepsCSV(12))
  })

  test('a capture has its scene, plots and facts and nothing to press, by day', async () => {
    const page = await open(`/captures/${gait}?plot=LKneeAngles&numbers=1&cycles=L+Foot+Strike`, { still: true })
    await page.getByRole('group', { name: 'Camera' }).waitFor()
    await page.getByRole('region', { name: 'Chart' }).waitFor()
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    // The copy of the scene has more than its ground.
    expect(await page.evaluate(() => {
      const paper = document.querySelector<HTMLCanvasElement>('.stage-print')!
      const dots = new Uint32Array(paper.getContext('2d')!.getImageData(0, 0, paper.width, paper.height).data.buffer)
      return new Set(dots).size
    })).toBeGreaterThan(20)
    for (const format of ['A4', 'Letter'] as const) {
      const sheets = await paged(page, 'capture', format)
      expect(sheets).toBeGreaterThan(0)
      expect(sheets).toBeLessThanOrEqual(4)
    }
    expect(await onPaper(page, 'capture')).toEqual({ wide: 688, buttons: 0, nav: 0, ground: 'rgb(255, 255, 255)' })
    await page.locator('.stage-print').waitFor()
    expect(await page.locator('.stage-canvas').isVisible()).toBe(false)
  })

  test('a comparison has its chart, its numbers and what was compared', async () => {
    const page = await open(`/compare?capture=${gait}&column=LKneeAngles_x&over=cycles&from=L+Foot+Strike`)
    await page.getByRole('region', { name: 'Chart' }).waitFor()
    await page.getByRole('region', { name: 'Numbers', exact: true }).waitFor()
    for (const format of ['A4', 'Letter'] as const) expect(await paged(page, 'comparison', format)).toBeLessThanOrEqual(2)
    expect(await onPaper(page, 'comparison')).toEqual({ wide: 688, buttons: 0, nav: 0, ground: 'rgb(255, 255, 255)' })
    await page.getByRole('link', { name: 'printed.csv' }).waitFor()
  })
})
