// Comparing captures: what is chosen and where, the chart, and every number of it held against numpy's.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessible, open, picture, served, trc, useBrowser } from './browser'
import { call, recorded, stepsCSV } from './motion'
import { numpy, testOfNumpy } from './numpy'

let walks: string[]

/** csv asks the interface for columns of a capture as CSV. */
async function csv(id: string, columns: string): Promise<string> {
  const answer = await fetch(`${served.url}/v1/captures/${encodeURIComponent(id)}/frames?channels=${columns}`, { headers: { Authorization: `Bearer ${served.token}`, Accept: 'text/csv' } })
  expect(answer.status).toBe(200)
  return answer.text()
}

/** saved presses a button and gives the text of the file that comes. */
async function saved(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button, exact: true }).click()])
  return readFileSync((await file.path())!, 'utf8')
}

const address = (more: string) => `/compare?${walks.map((w) => `capture=${encodeURIComponent(w)}`).join('&')}&${more}`
const chart = (page: Page) => page.getByRole('region', { name: 'Chart' })

describe('a comparison', () => {
  useBrowser()
  beforeAll(async () => {
    const events = [12, 17, 24]
    walks = await Promise.all(events.map((n, i) => recorded(`gait ${i + 1}.csv`, stepsCSV(n), { activity: 'gait', movement: 'walk' }, `2026-0${i + 1}-02T10:00:00.000Z`)))
  })

  testOfNumpy('has the means, deviations and normalised courses that numpy finds in the CSV of the frames, over cycles with gaps', async () => {
    const page = await open(address('column=LKneeAngles_x&column=RKNE_z&over=cycles&from=L+Foot+Strike&by=day'))
    await chart(page).waitFor()
    const [means, lines] = [await saved(page, 'CSV of means'), await saved(page, 'CSV of lines')]
    const frames = await Promise.all(walks.map((w) => csv(w, 'LKneeAngles,RKNE')))
    const motions = await Promise.all(walks.map(async (w) => (await call('GET', `/captures/${w}/motion`)).json()))
    const found = numpy<{ worst: number; lines: number; gaps: number; means: number }>(`
import csv, io, collections
worst, gaps = 0.0, 0
theirs = collections.defaultdict(list)
for r in csv.DictReader(io.StringIO(given['lines'])): theirs[(r['session_id'], r['column'], int(r['cycle']))].append(float(r['value'] or 'nan'))
count, groups = 0, collections.defaultdict(list)
for frames, motion in zip(given['frames'], given['motions']):
    rows = list(csv.DictReader(io.StringIO(frames)))
    t = np.array([float(r['time']) for r in rows])
    strikes = sorted(e['time'] for e in motion['events'] if e['label'] == 'Foot Strike' and e['context'].lower() == 'left')
    for column in ('LKneeAngles_x', 'RKNE_z'):
        y = np.array([float(r[column] or 'nan') for r in rows])
        for k, (a, b) in enumerate(zip(strikes, strikes[1:])):
            at = np.linspace(a, b, 101)
            v = np.interp(at, t, y)
            near = np.abs(t[:, None] - at).argmin(axis=0)
            exact = np.abs(t[near] - at) < 1e-11
            v[exact] = y[near[exact]]
            mine = np.array(theirs.pop((motion['session_id'], column, k + 1)))
            assert (np.isnan(v) == np.isnan(mine)).all(), (column, k)
            gaps += int(np.isnan(v).sum())
            worst = max(worst, np.nanmax(np.abs(v - mine)) / np.nanmax(np.abs(v)))
            count += 1
            groups[(column, motion['session_id'])].append(v)
assert not theirs
means = collections.defaultdict(list)
for r in csv.DictReader(io.StringIO(given['means'])): means[r['group']].append((float(r['mean'] or 'nan'), float(r['sd'] or 'nan')))
assert len(means) == len(groups)
for (column, _), lines in zip(groups, groups.values()): pass
days = dict(zip([m['session_id'] for m in given['motions']], given['days']))
for (column, of), lines in groups.items():
    lines = np.array(lines)
    m, s = np.array(means[column + ' · ' + days[of]]).T
    assert (np.isnan(lines.mean(axis=0)) == np.isnan(m)).all()
    worst = max(worst, np.nanmax(np.abs(m - lines.mean(axis=0))) / np.nanmax(np.abs(lines)), np.nanmax(np.abs(s - lines.std(axis=0, ddof=1))) / np.nanmax(np.abs(lines)))
found = dict(worst=worst, lines=count, gaps=gaps, means=len(means))`, { lines, means, frames, motions, days: ['2 Jan 2026', '2 Feb 2026', '2 Mar 2026'] })
    expect(found.worst).toBeLessThan(1e-9)
    expect(found.lines).toBe(2 * (2 + 4 + 5))
    expect(found.gaps).toBeGreaterThan(50)
    expect(found.means).toBe(6)
    await chart(page).getByText(/RKNE_z · 2 Jan 2026: \d+ of 101 points have no mean, because a gap is there in gait 1.csv/).waitFor()
    await accessible(page)
    await picture(page, 'compare')
  })

  testOfNumpy('has the courses and the mean that numpy finds along time and along frames, from an event on', async () => {
    const frames = await Promise.all(walks.map((w) => csv(w, 'LKneeAngles,RKNE')))
    const motions = await Promise.all(walks.map(async (w) => (await call('GET', `/captures/${w}/motion`)).json()))
    for (const over of ['time', 'frames']) {
      const page = await open(address(`column=LKneeAngles_x&column=RKNE_z&over=${over}&from=R+Foot+Strike`))
      await chart(page).waitFor()
      const [means, lines] = [await saved(page, 'CSV of means'), await saved(page, 'CSV of lines')]
      const found = numpy<{ worst: number; points: number; gaps: number; zeros: number }>(`
import csv, io, collections
worst, points, zeros = 0.0, 0, set()
ours = collections.defaultdict(dict)
mine = collections.defaultdict(list)
for r in csv.DictReader(io.StringIO(given['lines'])): mine[(r['session_id'], r['column'])].append((float(r['x']), float(r['value'] or 'nan')))
for frames, motion in zip(given['frames'], given['motions']):
    rows = list(csv.DictReader(io.StringIO(frames)))
    t = np.array([float(r['time']) for r in rows])
    strike = min(e['time'] for e in motion['events'] if e['label'] == 'Foot Strike' and e['context'].lower() == 'right')
    zero = int(np.abs(t - strike).argmin())
    zeros.add(zero)
    x = t - strike if given['over'] == 'time' else np.arange(len(t)) - float(zero)
    for column in ('LKneeAngles_x', 'RKNE_z'):
        y = np.array([float(r[column] or 'nan') for r in rows])
        theirs = np.array(mine.pop((motion['session_id'], column)))
        assert len(theirs) == len(y) and (np.isnan(theirs[:, 1]) == np.isnan(y)).all()
        worst = max(worst, np.abs(theirs[:, 0] - x).max(), np.nanmax(np.abs(theirs[:, 1] - y)) / np.nanmax(np.abs(y)))
        for at, v in zip(np.arange(len(t)) - zero, y): ours[(column, int(at))][motion['session_id']] = v
assert not mine
gaps = 0
for r in csv.DictReader(io.StringIO(given['means'])):
    at = float(r['x']) * (100 if given['over'] == 'time' else 1)
    assert abs(at - round(at)) < 1e-6
    all = np.array(list(ours[(r['group'].split(' · ')[0], round(at))].values()))
    if r['mean'] == '':
        assert len(all) < 3 or np.isnan(all).any(), r
        gaps += 1
        continue
    assert len(all) == 3 and r['lines'] == '3', r
    size = max(1e-3, np.abs(all).max())
    worst = max(worst, abs(float(r['mean']) - all.mean()) / size, abs(float(r['sd']) - all.std(ddof=1)) / size)
    points += 1
found = dict(worst=worst, points=points, gaps=gaps, zeros=len(zeros))`, { lines, means, frames, motions, over })
      expect(found.worst, over).toBeLessThan(1e-9)
      expect(found.zeros).toBe(3) // the event is at another frame of each
      expect(found.points, over).toBeGreaterThan(150)
      expect(found.gaps, over).toBeGreaterThan(15)
    }
  })

  testOfNumpy('has the numbers of each group with their difference, and the peaks of a stretch', async () => {
    const page = await open(address('column=LKneeAngles_x&over=percent&from=L+Foot+Strike&to=L+Foot+Off&by=day'))
    const row = page.getByRole('region', { name: 'Numbers', exact: true }).getByRole('row', { name: /Maximum of LKneeAngles_x/ })
    await row.waitFor()
    const frames = await Promise.all(walks.map((w) => csv(w, 'LKneeAngles')))
    const motions = await Promise.all(walks.map(async (w) => (await call('GET', `/captures/${w}/motion`)).json()))
    const peaks = numpy<number[]>(`
import csv, io
found = []
for frames, motion in zip(given['frames'], given['motions']):
    rows = list(csv.DictReader(io.StringIO(frames)))
    of = lambda label: [e['time'] for e in motion['events'] if e['label'] == label and e['context'].lower() == 'left']
    a = min(of('Foot Strike')); b = min(t for t in of('Foot Off') if t > a)
    found.append(max(float(r['LKneeAngles_x']) for r in rows if a <= float(r['time']) <= b))`, { frames, motions })
    const lines = (await saved(page, 'CSV of numbers')).split('\r\n').filter((l) => l.startsWith('Maximum of LKneeAngles_x')).map((l) => l.split(','))
    expect(lines.map((l) => Number(l[5]))).toEqual(peaks)
    expect(lines.map((l) => (l[7] ? Number(l[7]) : 0))).toEqual(peaks.map((p) => p - peaks[0]!))
    expect(await row.getByRole('cell').nth(1).textContent()).toContain(String(Number(peaks[0]!.toPrecision(6))))
  })

  test('is put together from rows of the list, and its address is all that there is to send', async () => {
    const page = await open('/captures?q=gait')
    const tick = (n: number) => page.getByRole('checkbox', { name: `Choose gait ${n}.csv` })
    await tick(1).click()
    await tick(3).click({ modifiers: ['Shift'] })
    const bar = page.getByRole('region', { name: 'Chosen captures' })
    await bar.getByText('3 captures chosen').waitFor()
    await tick(2).click()
    await bar.getByText('2 captures chosen').waitFor()
    await accessible(page)
    await picture(page, 'captures-chosen')
    await bar.getByRole('link', { name: 'Compare' }).click()
    await page.getByText('No channel is chosen').waitFor()
    await page.getByRole('searchbox', { name: 'Search channels' }).fill('lknee')
    await page.getByRole('checkbox', { name: /^LKneeAngles_x/ }).check()
    await chart(page).waitFor()
    await page.getByRole('combobox', { name: 'Along' }).selectOption('frames')
    await page.getByRole('combobox', { name: 'Zero at' }).selectOption('L Foot Strike')
    await expect.poll(() => page.url()).toContain('over=frames&from=L+Foot+Strike')
    const sent = await open(new URL(page.url()).pathname + new URL(page.url()).search)
    await chart(sent).waitFor()
    const [here, there] = [await saved(page, 'CSV of means'), await saved(sent, 'CSV of means')]
    expect(there).toBe(here)
    expect(here.split('\r\n').length).toBeGreaterThan(90)
    // One line fewer: a capture whose box is not ticked has none.
    await page.getByRole('checkbox', { name: 'LKneeAngles_x of gait 3.csv' }).uncheck()
    await expect.poll(() => page.url()).toContain('off=')
    await page.getByRole('list', { name: 'In the chart' }).getByText('1 capture').waitFor()
    // A capture's own page adds it to this comparison.
    await page.goto(`${served.url}/captures/${encodeURIComponent(walks[1]!)}`)
    await page.getByRole('link', { name: 'Compare', exact: true }).click()
    await page.getByRole('complementary', { name: 'What is compared' }).getByText('3 captures').first().waitFor()
  })

  test('takes each side of the body from its own events to its own', async () => {
    const page = await open(`/compare?capture=${walks[2]}&column=LKNE_x&column=RHEE_x&column=C7_x&over=cycles&from=own%3Afoot+strike`)
    await chart(page).waitFor()
    const legend = page.getByRole('list', { name: 'In the chart' })
    await legend.getByText('cycles of 1 capture').first().waitFor()
    expect(await legend.getByRole('listitem').allInnerTexts()).toEqual([expect.stringMatching(/^LKNE_x\s+5 cycles/), expect.stringMatching(/^RHEE_x\s+5 cycles/)])
    const [left, right] = await Promise.all(['L+Foot+Strike', 'R+Foot+Strike'].map(async (from, i) => {
      const one = await open(`/compare?capture=${walks[2]}&column=${['LKNE_x', 'RHEE_x'][i]}&over=cycles&from=${from}`)
      await chart(one).waitFor()
      return (await saved(one, 'CSV of lines')).split('\r\n').slice(1).join('\n')
    }))
    expect((await saved(page, 'CSV of lines')).split('\r\n').slice(1).join('\n')).toBe(`${left}${right}`)
    await page.getByRole('region', { name: 'Captures' }).getByText('has no two events “foot strike of its own side”').waitFor()
    await page.getByRole('combobox', { name: 'Cycles of' }).getByText('foot strike of its own side (1 of 1)').waitFor({ state: 'attached' })
  })

  test('says of each capture what it lacks, and draws the others', async () => {
    const squat = await recorded('no events.csv', stepsCSV(0), { activity: 'gait', movement: 'walk' })
    const page = await open(`${address('column=LKneeAngles_x&column=Nobody_x&over=percent&from=L+Foot+Strike&to=R+Foot+Strike')}&capture=${squat}&capture=gone`)
    await chart(page).waitFor()
    const list = page.getByRole('region', { name: 'Captures' })
    await list.getByText('has no “L Foot Strike” with a “R Foot Strike” after it').waitFor()
    await list.getByText('has no channel Nobody_x').first().waitFor()
    expect(await list.locator('.odd').count()).toBeGreaterThanOrEqual(5)
    await page.getByRole('list', { name: 'In the chart' }).getByText('3 captures').waitFor()
  })

  test('tells the values at the cursor from the keyboard, and is a picture', async () => {
    const page = await open(address('column=LKneeAngles_x&over=percent&from=L+Foot+Strike&to=L+Foot+Off'))
    const drawing = chart(page).getByRole('img')
    await drawing.focus()
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight')
    await chart(page).getByText('At 2: mean ± SD').waitFor()
    expect(await chart(page).getByRole('status').textContent()).toMatch(/^[\d.]+ ± [\d.]+$/)
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'PNG' }).click()])
    const bytes = readFileSync((await file.path())!)
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(bytes.length).toBeGreaterThan(5_000)
  })

  test('has forty captures with one call of each for what it shows, and with none more for a column that is there', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, (_, k) => k).map(async (k) => {
      const ids: string[] = []
      for (let i = 0; i < 5; i++) ids.push(await recorded(`swing ${k} ${i}.trc`, trc(600)))
      return ids
    }))
    const ids = many.flat()
    const asked: string[] = []
    const page = await open(`/compare?${ids.map((id) => `capture=${id}`).join('&')}&column=Knee_x&column=Knee_z&over=frames`, { before: async (page) => { page.on('request', (r) => asked.push(new URL(r.url()).pathname)) } })
    await chart(page).waitFor()
    const legend = page.getByRole('list', { name: 'In the chart' })
    await expect.poll(() => legend.getByText('40 captures').count()).toBe(2)
    expect(asked.filter((a) => a.includes('/v1/captures/')).length).toBe(3 * 40)
    expect(await page.locator('.figure path.line').count()).toBeGreaterThan(82)
    await page.getByRole('checkbox', { name: /^Knee_x/ }).first().uncheck()
    await expect.poll(() => legend.getByText('40 captures').count()).toBe(1)
    expect(asked.filter((a) => a.endsWith('/frames')).length).toBe(40)
    await picture(page, 'compare-forty')
  })

  test('on a phone keeps within the page', async () => {
    const page = await open(address('column=LKneeAngles_x&over=cycles&from=L+Foot+Strike'), { width: 360, height: 740, touch: true })
    await chart(page).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await accessible(page)
    await picture(page, 'compare-phone')
  })
})
