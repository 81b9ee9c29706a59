// Reports of a capture, of a comparison and of an athlete's progress: what they show, on the screen, on paper and by a link.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessible, open, picture, served, useBrowser } from './browser'
import { call, leapCSV, recorded, stepsCSV, walkTRC } from './motion'

let walk: string
let gait: string
let jumps: string[]

/** onPaper prints a report and says how many sheets it takes, and what would be cut off a sheet of A4. */
async function onPaper(page: Page, name: string): Promise<{ sheets: number[]; cut: string[]; buttons: number }> {
  const sheets: number[] = []
  for (const format of ['A4', 'Letter'] as const) {
    const pdf = await page.pdf({ format, printBackground: true })
    if (process.env.SHOTS) {
      const shots = new URL('../shots/', import.meta.url).pathname
      mkdirSync(shots, { recursive: true })
      writeFileSync(`${shots}${name}-${format}.pdf`, pdf)
    }
    sheets.push(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0)
  }
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 688, height: 1017 })
  const found = await page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('#content *')].filter((e) => e.checkVisibility())
    const cut = all.filter((e) => {
      const box = e.getBoundingClientRect()
      const tall = ['FIGURE', 'IMG', 'TR'].includes(e.tagName) && box.height > 960
      return box.right > 689 || box.left < -1 || tall || (getComputedStyle(e).overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1)
    })
    return { cut: cut.map((e) => `${e.tagName} ${e.className} ${e.textContent?.slice(0, 40)}`), buttons: all.filter((e) => e.matches('button, input, select, textarea')).length }
  })
  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 1280, height: 900 })
  return { sheets, ...found }
}

describe('a report', () => {
  useBrowser()
  beforeAll(async () => {
    walk = await recorded('Personsson walks.trc', walkTRC(), { activity: 'gait', movement: 'walking' })
    gait = await recorded('gait.csv', stepsCSV(12), { activity: 'gait', movement: 'walking' })
    jumps = [await recorded('jump 1.csv', leapCSV(), { activity: 'Jump', movement: 'Countermovement' }, '2026-01-02T10:00:00.000Z'), await recorded('jump 2.csv', leapCSV(1.3), { activity: 'Jump', movement: 'Countermovement' }, '2026-02-02T10:00:00.000Z')]
  })

  test('of a capture has pictures of the scene, charts and notes, is begun from what is seen, and goes by a link', async () => {
    const page = await open(`/captures/${walk}?plot=LANK&frame=60`, { still: true })
    await page.getByRole('group', { name: 'Camera' }).getByRole('button', { name: 'Left', exact: true }).click()
    await page.getByRole('button', { name: 'Report' }).click()
    await page.waitForURL((u) => u.pathname === '/report' && u.searchParams.get('capture') === walk && u.searchParams.has('camera'))
    await page.getByLabel('Title').fill('Walking after the operation')
    await page.getByLabel('Notes').fill('The left ankle is stiff.\nSee the chart.')
    await page.getByLabel('Notes').blur()
    await page.getByRole('heading', { name: 'Walking after the operation' }).waitFor()
    await page.getByLabel('Frame 60, as it was seen').check()
    const image = page.getByRole('img', { name: 'The scene at frame 60, 0.600 s' })
    await image.waitFor()
    // The picture has more than its ground.
    expect(await image.evaluate(async (i: HTMLImageElement) => {
      await i.decode()
      const c = Object.assign(document.createElement('canvas'), { width: i.naturalWidth, height: i.naturalHeight })
      c.getContext('2d')!.drawImage(i, 0, 0)
      return new Set(new Uint32Array(c.getContext('2d')!.getImageData(0, 0, c.width, c.height).data.buffer)).size
    })).toBeGreaterThan(50)
    const figure = page.getByRole('figure', { name: 'Course of LANK in m' })
    await figure.locator('.figure path.series-0').waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), figure.getByRole('button', { name: 'CSV of LANK' }).click()])
    const theirs = await (await fetch(`${served.url}/v1/captures/${walk}/frames?channels=LANK`, { headers: { Authorization: `Bearer ${served.token}`, Accept: 'text/csv' } })).text()
    expect(readFileSync((await file.path())!, 'utf8').trim().split('\r\n')).toEqual(theirs.trim().split(/\r?\n/).map((l) => l.split(',').slice(1).join()))
    await accessible(page)
    await picture(page, 'report')
    const paper = await onPaper(page, 'report')
    expect(paper).toMatchObject({ cut: [], buttons: 0 })
    for (const n of paper.sheets) expect(n).toBeLessThanOrEqual(2)

    const shown = async (p: Page) => [await p.locator('.report h1').innerText(), await p.locator('.note').innerText(), await p.getByRole('img', { name: /^The scene at/ }).count(), await p.locator('.report-plot .figure path.series-0').getAttribute('d')]
    const seen = await shown(page)
    await page.reload()
    await image.waitFor()
    await page.locator('.report-plot .figure path.series-0').waitFor()
    expect(await shown(page)).toEqual(seen)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make a link' }).click()
    const link = new URL((await page.getByRole('dialog').locator('pre').innerText()).trim())
    const visitor = await open(link.pathname + link.hash, { token: '' })
    await visitor.getByRole('img', { name: 'The scene at frame 60, 0.600 s' }).waitFor()
    await visitor.locator('.report-plot .figure path.series-0').waitFor()
    expect((await shown(visitor)).slice(0, 3)).toEqual(seen.slice(0, 3))
    expect(await visitor.locator('body').innerText()).not.toContain('Personsson')
    expect(await visitor.getByLabel('Title').count()).toBe(0)
    await accessible(visitor)
  })

  test('has each metric with its value and its definition', async () => {
    const page = await open(`/report?capture=${jumps[0]}`)
    const table = page.getByRole('table')
    await table.getByText('Jump height', { exact: true }).waitFor()
    const { computed } = (await (await call('GET', `/captures/${jumps[0]}/motion`)).json()) as { computed: { metrics: { column: string; value: number | null; unit: string }[] } }
    const { movements } = (await (await call('GET', '/movements?activity=jump&movement=countermovement')).json()) as { movements: { columns: { name: string; title: string; precision: number; description: string }[] }[] }
    await page.waitForLoadState('networkidle')
    for (const m of computed.metrics) {
      const c = movements[0]!.columns.find((one) => one.name === m.column)!
      const row = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name: c.title, exact: true }) })
      if (m.value !== null) expect(await row.locator('td').first().innerText()).toBe(`${m.value.toFixed(c.precision)} ${m.unit}`.trim())
      expect(await row.locator('td').nth(1).innerText()).toContain(c.description)
    }
    await accessible(page)
    const paper = await onPaper(page, 'report-metrics')
    expect(paper).toMatchObject({ cut: [], buttons: 0 })
  })

  test('of a comparison has its chart and numbers, and keeps its title when they are changed', async () => {
    const page = await open(`/compare?capture=${gait}&capture=${walk}&column=RKNE_z`)
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByRole('region', { name: 'Chart' }).waitFor()
    await page.getByLabel('Title').fill('Both sessions')
    await page.getByLabel('Title').blur()
    await page.getByRole('heading', { name: 'Both sessions' }).waitFor()
    await page.getByLabel('Along').selectOption('frames')
    await page.waitForURL((u) => u.pathname === '/report' && u.searchParams.get('over') === 'frames' && u.searchParams.get('title') === 'Both sessions')
    await page.getByRole('region', { name: 'Chart' }).waitFor()
    await accessible(page)
    const paper = await onPaper(page, 'report-comparison')
    expect(paper).toMatchObject({ cut: [], buttons: 0 })
    for (const n of paper.sheets) expect(n).toBeLessThanOrEqual(2)
  })

  test('of the progress of an athlete has the metric over time', async () => {
    const { athlete } = (await (await call('POST', '/athletes', { first_name: 'Ann', last_name: 'Reported' })).json()) as { athlete: { id: string } }
    for (const j of jumps) await call('POST', `/captures/${j}/athletes`, { athlete_id: athlete.id })
    const page = await open(`/athletes/${athlete.id}`)
    await page.getByRole('link', { name: 'Report of the progress' }).click()
    await page.getByText('Ann Reported').waitFor()
    const progress = page.getByRole('region', { name: 'Progress' })
    await progress.getByLabel('Metric').selectOption('jump_height')
    await page.waitForURL((u) => u.pathname === '/report' && u.searchParams.get('athlete') === athlete.id && u.searchParams.get('metric') === 'jump_height')
    await progress.getByText('2 of 2 captures have a value.').waitFor()
    await accessible(page)
    const paper = await onPaper(page, 'report-progress')
    expect(paper.cut).toEqual([])
    for (const n of paper.sheets) expect(n).toBeLessThanOrEqual(2)

    // By a link somebody without an account sees the same metric, and nothing of what else there is of the athlete.
    await page.getByLabel('Title').fill('Since the operation')
    await page.getByLabel('Title').blur()
    await page.getByRole('heading', { name: 'Since the operation' }).waitFor()
    const rows = async (p: Page) => (await p.getByRole('region', { name: 'Values of Jump height' }).locator('tbody tr').allInnerTexts()).join('\n')
    const share = async (names: boolean) => {
      await page.getByRole('button', { name: 'Share', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(/Whoever has the link sees this metric/).waitFor()
      if (names) await dialog.getByLabel('Show the names of athletes, files and subjects').check()
      await dialog.getByRole('button', { name: 'Make a link' }).click()
      const link = new URL((await dialog.locator('pre').innerText()).trim())
      await dialog.getByRole('button', { name: 'Done' }).click()
      return link.pathname + link.hash
    }
    const link = await share(false)
    const asked: string[] = []
    const visitor = await open(link, { token: '', before: async (p) => p.on('request', (r) => asked.push(r.url())) })
    await visitor.getByRole('heading', { name: 'Since the operation' }).waitFor()
    await visitor.getByText('2 of 2 captures have a value.').waitFor()
    expect(await rows(visitor)).toBe(await rows(page))
    const { movements } = (await (await call('GET', '/movements?activity=jump&movement=countermovement')).json()) as { movements: { columns: { name: string; description: string }[] }[] }
    await visitor.getByText(movements[0]!.columns.find((c) => c.name === 'jump_height')!.description).waitFor()
    const dots = (p: Page) => p.getByRole('group', { name: /^Jump height over time/ }).locator('circle').count()
    expect(await dots(visitor)).toBe(await dots(page))
    expect(await visitor.locator('#content a[href]').count()).toBe(0)
    const text = await visitor.locator('body').innerText()
    for (const hidden of ['Ann', 'Reported', athlete.id, ...jumps]) expect(text).not.toContain(hidden)
    for (const offered of ['Share', 'Sign out']) expect(await visitor.getByRole('button', { name: offered, exact: true }).count()).toBe(0)
    expect(await visitor.getByRole('combobox').count()).toBe(0)
    expect(asked.filter((u) => !/\/assets\/|\/shared(#|$|\?)|\/v1\/shared/.test(u))).toEqual([])
    await accessible(visitor)
    await picture(visitor, 'shared-progress')
    const [file] = await Promise.all([visitor.waitForEvent('download'), visitor.getByRole('button', { name: 'Download CSV' }).click()])
    expect(readFileSync((await file.path())!, 'utf8')).not.toContain(jumps[0])
    const [drawn] = await Promise.all([visitor.waitForEvent('download'), visitor.getByRole('button', { name: 'PNG', exact: true }).click()])
    const bytes = readFileSync((await drawn.path())!)
    // 900 by 302 pixels, twice as fine: the chart with its title and room below.
    expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['PNG', 1800, 604])
    expect(bytes.length).toBeGreaterThan(5_000)
    if (process.env.SHOTS) writeFileSync(new URL('../shots/progress.png', import.meta.url), bytes)
    // Whoever writes another athlete, metric or capture into the address reads no more.
    const at = new URL(visitor.url())
    for (const other of [`athlete=${athlete.id}&metric=jump_flight_time`, `athlete=2`]) {
      await visitor.goto(`${at.origin}/shared?${other}${at.hash}`)
      await visitor.getByText('2 of 2 captures have a value.').waitFor()
      expect(await rows(visitor)).toBe(await rows(page))
    }
    await visitor.goto(`${at.origin}/shared?capture=1${at.hash}`)
    await visitor.reload()
    await visitor.getByText('There is nothing at this link', { exact: false }).waitFor()

    // A link to what no capture has says so.
    const { secret } = (await (await call('POST', '/shares', { kind: 'progress', progress: { athlete_id: athlete.id, activity: 'jump', movement: 'countermovement', metric: 'nobody_measures_this' } })).json()) as { secret: string }
    const empty = await open(`/shared#${secret}`, { token: '' })
    await empty.getByText('No capture has the metric that this link shows.').waitFor()
    await accessible(empty)
    // So does an address of one that was written by hand.
    await page.goto(`${served.url}/report?athlete=${athlete.id}&activity=jump&movement=countermovement&metric=nobody_measures_this`)
    await page.getByText('None of these captures has “nobody_measures_this”').waitFor()
    await page.goBack()

    const named = await open(await share(true), { token: '' })
    await named.getByText('Ann Reported').waitFor()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Links to the progress of this athlete' }).waitFor()
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).count()).toBe(3)
    expect((await call('DELETE', `/athletes/${athlete.id}`)).status).toBe(200)
    await named.reload()
    await named.getByText('There is nothing at this link').waitFor()
  })
})
