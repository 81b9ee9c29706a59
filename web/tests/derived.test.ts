// Smoothing and slope in the plots of a capture, in its report and in a comparison: what numpy makes of the CSV of the frames.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessible, open, picture, served, useBrowser } from './browser'
import { gap, rate, recorded, stepsCSV, walkCSV } from './motion'
import { filterOfNumpy, numpy, testOfNumpy } from './numpy'

let walk: string

/** saved presses a button and gives the text of the file that comes. */
async function saved(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button, exact: true }).click()])
  return readFileSync((await file.path())!, 'utf8')
}

/** frames is the CSV of columns, as the interface has it. */
async function frames(channels: string, rows = ''): Promise<string> {
  const answer = await fetch(`${served.url}/v1/captures/${walk}/frames?channels=${encodeURIComponent(channels)}${rows}`, { headers: { Authorization: `Bearer ${served.token}`, Accept: 'text/csv' } })
  expect(answer.status).toBe(200)
  return answer.text()
}

/** differing is by how much columns of a CSV differ, as a part of the greatest number, from a course that numpy makes; and how many are missing in both. */
const differing = `
import csv, io
def rows(text): return list(csv.DictReader(io.StringIO(text)))
def col(text, name): return np.array([float(r[name] or 'nan') for r in rows(text)])
def slope(v, rate): return np.concatenate([[np.nan], (v[2:] - v[:-2]) * rate / 2, [np.nan]]) + v * 0
def differ(mine, theirs):
    assert len(mine) == len(theirs) and (np.isnan(mine) == np.isnan(theirs)).all()
    return np.nanmax(np.abs(mine - theirs)) / np.nanmax(np.abs(theirs))
`

describe('smoothing and slope', () => {
  useBrowser()
  beforeAll(async () => {
    walk = await recorded('derived.csv', stepsCSV(8))
  })

  testOfNumpy('are plotted under their own names and units, with the numbers of numpy, gaps as they were, and stand in the address', async () => {
    const page = await open(`/captures/${walk}?plot=RKNE`, { still: true })
    await page.getByRole('group', { name: 'Camera' }).waitFor()
    const form = page.locator('details.measure').filter({ hasText: 'Smoothing and slope' })
    await form.getByText('Smoothing and slope').click()
    await expect.poll(() => form.getByLabel('Of', { exact: true }).inputValue()).toBe('RKNE')
    await form.getByRole('button', { name: 'Plot it' }).click()
    await form.getByLabel('Smoothing', { exact: true }).selectOption('10')
    await form.getByLabel('Slope, by the second').check()
    await form.getByRole('button', { name: 'Plot it' }).click()
    await form.getByLabel('Of', { exact: true }).selectOption('Force Plate - Force Fz')
    await form.getByLabel('Smoothing', { exact: true }).selectOption('50')
    await form.getByLabel('Slope, by the second').uncheck()
    await form.getByRole('button', { name: 'Plot it' }).click()
    await page.waitForURL((u) => u.searchParams.getAll('derived').join() === 'smooth-6/RKNE,smooth-10-slope/RKNE,smooth-50/Force%20Plate%20-%20Force%20Fz')
    const names = ['RKNE, smoothed at 6 Hz', 'Slope of RKNE, smoothed at 10 Hz', 'Force Plate - Force Fz, smoothed at 50 Hz']
    for (const [i, unit] of ['m', 'm/s', 'N'].entries()) await page.getByRole('figure', { name: `Course of ${names[i]} in ${unit}` }).waitFor()
    const [low, slope, force] = [await saved(page, `CSV of ${names[0]}`), await saved(page, `CSV of ${names[1]}`), await saved(page, `CSV of ${names[2]}`)]
    const found = numpy<number[]>(`${filterOfNumpy}${differing}
x = [col(given['frames'], 'RKNE_' + a) for a in 'xz']
found = [differ(col(given['low'], 'RKNE_%s, smoothed at 6 Hz' % a), low(v, 6, given['rate'])) for a, v in zip('xz', x)]
found += [differ(col(given['slope'], 'Slope of RKNE_%s, smoothed at 10 Hz' % a), slope(low(v, 10, given['rate']), given['rate'])) for a, v in zip('xz', x)]
fz = col(given['samples'], 'Force Plate - Force Fz')
found += [differ(col(given['force'], 'Force Plate - Force Fz, smoothed at 50 Hz'), low(fz, 50, 10 * given['rate'])), float(np.isnan(x[0]).sum())]`, { frames: await frames('RKNE'), samples: await frames('Force Plate - Force Fz', '&rows=samples'), low, slope, force, rate })
    expect(found.pop()).toBe(gap.to - gap.from)
    expect(Math.max(...found)).toBeLessThan(1e-9)
    await accessible(page)
    await picture(page, 'derived')
    // In a report of what is seen they stand too, and closing a plot takes one out of the address.
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByRole('figure', { name: `Course of ${names[1]} in m/s` }).locator('svg').first().waitFor()
    await page.goBack()
    await page.getByRole('button', { name: `Close the plot of ${names[0]}` }).click()
    await page.waitForURL((u) => u.searchParams.getAll('derived').length === 2)
  })

  testOfNumpy('are those of every line of a comparison, and the table and the CSV are of them', async () => {
    const other = await recorded('derived too.csv', walkCSV())
    const page = await open(`/compare?capture=${walk}&capture=${other}&column=LKneeAngles_x&column=RKNE_z&over=frames`)
    const chart = page.getByRole('region', { name: 'Chart' })
    await chart.waitFor()
    await page.getByRole('combobox', { name: 'Smoothing' }).selectOption('6')
    await page.getByRole('checkbox', { name: 'Slope, by the second' }).check()
    await page.waitForURL((u) => u.searchParams.get('smooth') === '6' && u.searchParams.get('slope') === '1')
    await chart.getByRole('list', { name: 'In the chart' }).getByText('Slope of LKneeAngles_x, smoothed at 6 Hz').waitFor()
    const lines = await saved(page, 'CSV of lines')
    const found = numpy<number[]>(`${filterOfNumpy}${differing}
own = [r for r in rows(given['lines']) if r['session_id'] == given['id']]
found = []
for name, unit in (('LKneeAngles_x', 'deg/s'), ('RKNE_z', 'm/s')):
    mine = [r for r in own if r['column'] == 'Slope of %s, smoothed at 6 Hz' % name]
    assert all(r['unit'] == unit for r in mine), mine[0]
    found.append(differ(np.array([float(r['value'] or 'nan') for r in mine]), slope(low(col(given['frames'], name), 6, given['rate']), given['rate'])))`, { lines, id: walk, frames: await frames('LKneeAngles,RKNE'), rate })
    expect(Math.max(...found)).toBeLessThan(1e-9)
    await page.getByRole('region', { name: 'Numbers', exact: true }).getByRole('row', { name: /Maximum of Slope of LKneeAngles_x, smoothed at 6 Hz/ }).waitFor()
    await accessible(page)
    // What the low-pass cannot do is said of each capture, and no line is drawn.
    await page.getByRole('combobox', { name: 'Smoothing' }).selectOption('50')
    await page.getByRole('region', { name: 'Captures' }).getByText('LKneeAngles_x has 100 samples a second: a low-pass at 50 Hz needs at least 250').first().waitFor()
    await page.getByText('No capture has a line here').waitFor()
  })

  test('are refused in a plot with the reason', async () => {
    const page = await open(`/captures/${walk}?plot=&derived=smooth-50%2FRKNE`, { still: true })
    await page.getByText('RKNE has 100 samples a second: a low-pass at 50 Hz needs at least 250.').waitFor()
  })
})
