// Numbers of the stretch that plots show, and cycles of an event, on the page of a capture: both held against numpy.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessible, open, picture, served, useBrowser } from './browser'
import { call, rate, recorded, stepsCSV, walkTRC } from './motion'
import { filterOfNumpy, numpy, testOfNumpy } from './numpy'

let gait: string
const force = 'Force Plate - Force Fz'

const csv = async (query: string) => (await fetch(`${served.url}/v1/captures/${gait}/frames?${query}`, { headers: { Authorization: `Bearer ${served.token}`, Accept: 'text/csv' } })).text()

/** told is how the page writes a number. */
const told = (v: number) => String(Number(v.toPrecision(6)))

describe('a stretch of a capture', () => {
  useBrowser()
  beforeAll(async () => {
    gait = await recorded('cycles.csv', stepsCSV(17))
  })

  testOfNumpy('has the least, greatest and mean value that numpy finds, of frames with a gap and of all samples of a platform', async () => {
    const motion = (await (await call('GET', `/captures/${gait}/motion`)).json()) as { channels: { name: string; columns: string[] }[] }
    const column = motion.channels.find((c) => c.name === force)!.columns[0]!
    const page = await open(`/captures/${gait}?plot=RKNE&plot=${encodeURIComponent(force)}&numbers=1`, { still: true })
    const rows = async (name: string) => page.getByRole('table', { name: `${name} in the time shown` }).locator('tbody tr').evaluateAll((all) => all.map((r) => [...r.querySelectorAll('td:not(.cursor)')].map((c) => c.textContent)))
    const read = (text: string, names: string[]) => numpy<number[][]>(`
import csv, io
rows = list(csv.DictReader(io.StringIO(given['text'])))
found = []
for name in given['names']:
    v = np.array([float(r[name] or 'nan') for r in rows])
    found.append([np.nanmin(v), np.nanmax(v), np.nanmean(v), np.nanmax(v) - np.nanmin(v), np.sum(~np.isnan(v)), np.sum(np.isnan(v))])`, { text, names })
    const shown = (all: number[][]) => all.map((r) => r.map((v, i) => (i < 4 ? told(v) : v.toLocaleString('en'))))
    await expect.poll(() => rows('RKNE')).toEqual(shown(read(await csv('channels=RKNE'), ['RKNE_x', 'RKNE_y', 'RKNE_z']).slice(0, 3)))
    await expect.poll(() => rows(force)).toEqual(shown(read(await csv(`channels=${encodeURIComponent(column)}&rows=samples`), [column])))
    expect((await rows('RKNE')).map((r) => r[5])).toEqual(['20', '20', '20'])
    // The value at the cursor is that of the frame, or of the sample, on which the playhead stands.
    const cursor = (name: string) => page.getByRole('table', { name: `${name} in the time shown` }).locator('td.cursor').allInnerTexts()
    const at = numpy<{ at: number[]; frames: (number | null)[][] }>(`
import csv, io
rows = list(csv.DictReader(io.StringIO(given['text'])))
gap = next(i for i, r in enumerate(rows) if not r['RKNE_x'])
found = {'at': [7, 60, gap], 'frames': [[float(rows[i]['RKNE_' + a]) if rows[i]['RKNE_x'] else None for a in 'xyz'] for i in (7, 60, gap)]}`, { text: await csv('channels=RKNE') })
    for (const [n, frame] of at.at.entries()) {
      await page.getByRole('slider', { name: 'Frame' }).fill(String(frame))
      await expect.poll(() => cursor('RKNE')).toEqual(at.frames[n]!.map((v) => (v === null ? '–' : told(v))))
    }
    // Less of the time says other numbers.
    const before = await rows(force)
    await page.getByRole('button', { name: 'Show less time' }).click()
    await expect.poll(async () => Number((await rows(force))[0]![4])).toBeLessThan(Number(before[0]![4]!.replace(',', '')))
    await accessible(page)
    await page.getByRole('checkbox', { name: 'Numbers' }).uncheck()
    await page.waitForURL((u) => !u.searchParams.has('numbers') && u.searchParams.getAll('plot').length === 2)
  })

  testOfNumpy('of a repeated event is laid over the others, with the durations that numpy finds', async () => {
    const page = await open(`/captures/${gait}?plot=LKneeAngles`, { still: true })
    const cycles = page.getByRole('region', { name: 'Cycles', exact: true })
    await page.getByRole('button', { name: 'Cycles of an event' }).click()
    await cycles.getByRole('combobox').selectOption('L Foot Strike')
    await cycles.getByRole('region', { name: 'Chart' }).waitFor()
    await page.waitForURL(/cycles=L\+Foot\+Strike/)
    const [file] = await Promise.all([page.waitForEvent('download'), cycles.getByRole('button', { name: 'CSV of L Foot Strike' }).click()])
    const lines = readFileSync((await file.path())!, 'utf8')
    const found = numpy<{ worst: number; cycles: number; mean: number; sd: number }>(`
import csv, io
rows = list(csv.DictReader(io.StringIO(given['lines'])))
events = [(float('%.2f' % (0.05 + 1.1 * i / 17)), i) for i in range(17)]
strikes = [t for t, i in events if i % 2 == 0 and i % 4 < 2]
off = [t for t, i in events if i % 2 == 0 and i % 4 >= 2]
worst = 0.0
for r, a, b in zip(rows, strikes, strikes[1:]):
    worst = max(worst, abs(float(r['Duration in s']) - (b - a)), abs(float(r['from']) - a), abs(float(r['L Foot Off in %']) - 100 * (min(t for t in off if t > a) - a) / (b - a)))
d = np.diff(strikes)
found = dict(worst=worst, cycles=len(rows), mean=d.mean(), sd=d.std(ddof=1))`, { lines })
    expect(found.worst).toBeLessThan(1e-9)
    expect(found.cycles).toBe(4)
    // The strikes are so even that their deviation is nothing but the rounding of numbers.
    expect(found.sd).toBeLessThan(1e-15)
    await cycles.getByText(`${told(found.mean)} ± 0`).waitFor()
    await cycles.getByText('4 cycles of 1 capture').first().waitFor()
    await accessible(page)
    await picture(page, 'cycles')
    await page.setViewportSize({ width: 390, height: 800 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await cycles.getByRole('link', { name: 'Compare with others' }).click()
    await page.waitForURL(/\/compare\?capture=.*over=cycles/)
  })

  testOfNumpy('has what is derived and measured in its cycles, with the numbers of numpy', async () => {
    const query = ['plot=LKneeAngles', 'derived=smooth-6%2FLKneeAngles', 'derived=smooth-10-slope%2FRKNE', 'measure=distance%2FLKNE%2FRANK', `derived=slope%2F${encodeURIComponent('Distance LKNE – RANK')}`, 'cycles=L+Foot+Strike']
    const page = await open(`/captures/${gait}?${query.join('&')}`, { still: true })
    const cycles = page.getByRole('region', { name: 'Cycles', exact: true })
    const chart = cycles.getByRole('region', { name: 'Chart' })
    await chart.waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), chart.getByRole('button', { name: 'CSV of lines' }).click()])
    const found = numpy<Record<string, number>>(`${filterOfNumpy}
import csv, io
rows = list(csv.DictReader(io.StringIO(given['lines'])))
frames = list(csv.DictReader(io.StringIO(given['frames'])))
col = lambda name: np.array([float(r[name] or 'nan') for r in frames])
rate, time = given['rate'], col('time')
slope = lambda v: np.concatenate([[np.nan], (v[2:] - v[:-2]) * rate / 2, [np.nan]]) + v * 0
apart = np.sqrt(sum((col('LKNE_' + a) - col('RANK_' + a)) ** 2 for a in 'xyz'))
wanted = {'LKneeAngles_' + a: (col('LKneeAngles_' + a), 'deg') for a in 'xyz'}
wanted.update({'LKneeAngles_%s, smoothed at 6 Hz' % a: (low(col('LKneeAngles_' + a), 6, rate), 'deg') for a in 'xyz'})
wanted.update({'Slope of RKNE_%s, smoothed at 10 Hz' % a: (slope(low(col('RKNE_' + a), 10, rate)), 'm/s') for a in 'xyz'})
wanted['Distance LKNE – RANK'] = (apart, 'm')
wanted['Slope of Distance LKNE – RANK'] = (slope(apart), 'm/s')
events = [(float('%.2f' % (0.05 + 1.1 * i / 17)), i) for i in range(17)]
strikes = [t for t, i in events if i % 2 == 0 and i % 4 < 2]
found = {}
for name, (v, unit) in wanted.items():
    worst, missing = 0.0, 0
    for n, (a, b) in enumerate(zip(strikes, strikes[1:])):
        mine = [r for r in rows if r['column'] == name and r['cycle'] == str(n + 1)]
        assert len(mine) == 101 and all(r['unit'] == unit for r in mine), (name, len(mine))
        t = a + (b - a) * np.arange(101) / 100
        at = np.clip(np.searchsorted(time, t + 1e-9, side='right') - 1, 0, len(time) - 2)
        part = (t - time[at]) / (time[at + 1] - time[at])
        on = np.abs(part) < 1e-6
        theirs = np.where(on, v[at], v[at] + part * (v[at + 1] - v[at]))
        got = np.array([float(r['value'] or 'nan') for r in mine])
        assert (np.isnan(got) == np.isnan(theirs)).all(), (name, n)
        worst = max(worst, np.nanmax(np.abs(got - theirs)) / max(1e-12, np.nanmax(np.abs(v))))
        missing += int(np.isnan(got).sum())
    found[name] = worst
assert {r['column'] for r in rows} == set(wanted)`, { lines: readFileSync((await file.path())!, 'utf8'), frames: await csv('channels=LKneeAngles,RKNE,LKNE,RANK'), rate })
    expect(Object.keys(found)).toHaveLength(11)
    for (const [name, worst] of Object.entries(found)) expect.soft(worst, name).toBeLessThan(1e-9)
    await accessible(page)
    await picture(page, 'cycles-derived')
    // What the low-pass cannot do has its reason, and the others their lines.
    const refused = await open(`/captures/${gait}?plot=LKneeAngles&derived=smooth-50%2FRKNE&cycles=L+Foot+Strike`, { still: true })
    await refused.getByRole('region', { name: 'Cycles', exact: true }).getByText('RKNE_x has 100 samples a second: a low-pass at 50 Hz needs at least 250.').waitFor()
    await refused.getByRole('region', { name: 'Chart' }).getByText('4 cycles of 1 capture').first().waitFor()
  })

  test('has no cycles where nothing repeats', async () => {
    const once = await recorded('no cycles.trc', walkTRC())
    const page = await open(`/captures/${once}`, { still: true })
    await page.locator('.plot-host[data-points]').first().waitFor()
    expect(await page.getByRole('button', { name: 'Cycles of an event' }).count()).toBe(0)
  })
})
