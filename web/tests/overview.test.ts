import { describe, expect, test } from 'vitest'
import { accessible, edited, fault, open, picture, served, useBrowser } from './browser'
import { coloursMost, scale, stacked, type Overview } from '../src/screens/overview/days'

const overview = /console\/v1\/overview/

describe('the overview', () => {
  useBrowser()

  test('shows captures a day by movement, and leads on to what it counts', async () => {
    const page = await open('/overview')
    await page.getByRole('heading', { name: 'Captures a day' }).waitFor()
    await accessible(page)
    await picture(page, 'overview')
    const told = (await (await page.request.get(`${served.url}/console/v1/overview?days=90`)).json()) as Overview
    await page.getByRole('button', { name: '90 days' }).click()
    await page.waitForURL(/days=90/)
    const sum = told.captures_per_day.reduce((n, c) => n + c.count, 0)
    await page.getByText(`${sum} in these days`).waitFor()
    await expect.poll(() => page.getByRole('link', { name: /^Captures/ }).last().innerText()).toContain(told.total_captures.toLocaleString('en'))

    const table = page.getByRole('table', { name: /Captures a day by movement/ })
    const days = await table.getByRole('row').count() - 1
    expect(days).toBe(new Set(told.captures_per_day.map((c) => c.day)).size)
    let drawn = 0
    for (const text of await table.locator('tbody td:nth-child(2)').allTextContents()) drawn += Number(text)
    expect(drawn).toBe(sum)
    await picture(page, 'overview-90')

    await page.getByRole('link', { name: /^Failed/ }).click()
    await page.waitForURL(/\/captures\?status=error/)
    await page.getByText(new RegExp(`^${told.by_status.error.toLocaleString('en')} captures? with these filters`)).waitFor()
  })

  test('tells of a day by pointing and by the keyboard', async () => {
    const page = await open('/overview')
    const plot = page.getByRole('group', { name: /^Captures a day/ })
    await plot.waitFor()
    const tip = page.locator('.tip')
    await page.locator('.bars svg g > rect').last().hover()
    await tip.getByText(/\d captures?$/).waitFor()
    const last = await tip.locator('strong').textContent()
    await picture(page, 'overview-day')
    await page.mouse.move(5, 5)
    await page.getByRole('button', { name: 'A year' }).focus()
    await page.keyboard.press('Tab')
    for (let n = 0; n < 8 && !(await plot.evaluate((e) => e === document.activeElement)); n++) await page.keyboard.press('Tab')
    await tip.locator('strong').waitFor()
    await page.keyboard.press('Home')
    const first = await tip.locator('strong').textContent()
    expect(first).not.toBe(last)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => tip.locator('strong').textContent()).not.toBe(first)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => tip.locator('strong').textContent()).toBe(first)
    await page.keyboard.press('Escape')
    await expect.poll(() => tip.locator('strong').count()).toBe(0)
  })

  test('names what failed, with the reason, and what has changed', async () => {
    const movement = '<img src=x onerror=alert(1)> 🏃 קפיצה'
    const page = await open('/overview', { before: (page) => edited<Overview>(page, overview, (body) => {
      body.failed = [{ session_id: 'a/b', status: 'error', activity: null, movement, capture_time: null, last_modified: new Date().toISOString(), error: 'The file ends at byte 5120, before its first frame; export it again.' }]
      body.by_status = { ...body.by_status, error: 25, processing: 2 }
    }) })
    await page.getByText('The file ends at byte 5120').waitFor()
    await expect.poll(() => page.getByRole('link', { name: movement }).getAttribute('href')).toBe('/captures/a%2Fb')
    await expect.poll(() => page.locator('#content img').count()).toBe(0)
    await page.getByRole('link', { name: 'All 25' }).waitFor()
    await accessible(page)
    const recent = page.getByRole('region', { name: 'Recent changes' }).getByRole('link').first()
    const to = await recent.getAttribute('href')
    await recent.click()
    await page.waitForURL(new RegExp(to!.replace(/[^\w/-]/g, '.')))
  })

  for (const [used, exports, told] of [
    [5e8, 0, 'of the 2.0 GB that files may take'],
    [5e8, 3000, 'of the 2.0 GB that files may take, and 3.0 kB of exports'],
    [2e9, 0, 'all of the 2.0 GB that files may take: no more are taken'],
  ] as const) {
    test(`says what files take and may take: ${told}`, async () => {
      const page = await open('/overview', { before: (page) => edited<Overview>(page, overview, (body) => {
        body.storage = { original_bytes: 1, export_bytes: exports, file_bytes: used, file_bytes_allowed: 2e9 }
      }) })
      await page.getByText(told, { exact: true }).waitFor()
      await accessible(page)
      await picture(page, 'overview-bound')
    })
  }

  test('says so when there is nothing', async () => {
    const page = await open('/overview', { token: served.empty })
    await page.getByText('Nothing here yet').waitFor()
    await accessible(page)
    await picture(page, 'overview-empty')
  })

  test('fits a tablet', async () => {
    const page = await open('/overview', { width: 768, height: 1024 })
    await page.getByRole('heading', { name: 'Captures a day' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(Math.round((await page.locator('.bars text').first().boundingBox())!.height)).toBeGreaterThanOrEqual(12)
    await picture(page, 'overview-tablet')
  })

  for (const [status, title] of [[403, 'Not allowed with this token'], [429, 'Too many requests'], [503, 'The server is busy'], [500, 'That did not work']] as const) {
    test(`says what is wrong when the server answers with ${status}`, async () => {
      const page = await open('/overview')
      await page.getByRole('heading', { name: 'Captures a day' }).waitFor()
      const mend = await fault(page, overview, status, `Sentence of the ${status}.`, { 'Retry-After': '600' })
      await page.getByRole('button', { name: '90 days' }).click()
      await page.getByText(title).waitFor()
      await page.getByText(`Sentence of the ${status}.`).waitFor()
      await accessible(page)
      await mend()
      await page.getByRole('button', { name: /Try again/ }).click()
      await page.getByText(title).waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'Captures a day' }).waitFor()
    })
  }

  test('comes back by itself after a lost connection', async () => {
    const page = await open('/overview')
    await page.getByRole('heading', { name: 'Captures a day' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: '90 days' }).click()
    await page.getByText('No connection').waitFor()
    await page.context().setOffline(false)
    await page.getByText('No connection').waitFor({ state: 'detached', timeout: 30_000 })
  })
})

describe('captures a day', () => {
  const told = (list: Overview['captures_per_day']): Overview => ({ from: '2026-05-01', to: '2026-05-03', captures_per_day: list, total_captures: 0, total_athletes: 0, by_status: { awaiting_upload: 0, processing: 0, completed: 0, error: 0 }, failed: [], recent: [], storage: { original_bytes: 0, export_bytes: 0, file_bytes: 0, file_bytes_allowed: null } })
  const one = (day: string, movement: string | null, count: number, others = false) => ({ day, movement, others, count })

  test('have every day, and lose no capture', () => {
    const many = Array.from({ length: coloursMost + 3 }, (_, n) => one('2026-05-03', `movement_${n}`, 20 - n))
    const list = [one('2026-05-01', null, 2), one('2026-05-01', null, 5, true), ...many]
    const { kinds, days } = stacked(told(list))
    expect(days.map((d) => d.day)).toEqual(['2026-05-01', '2026-05-02', '2026-05-03'])
    expect(days.map((d) => d.total)).toEqual([7, 0, many.reduce((n, c) => n + c.count, 0)])
    expect(kinds.map((k) => k.name)).toEqual([...Array.from({ length: coloursMost }, (_, n) => `movement ${n}`), 'Others', 'No movement'])
    expect(kinds.reduce((n, k) => n + k.total, 0)).toBe(list.reduce((n, c) => n + c.count, 0))
    expect(stacked(told([])).kinds).toEqual([])
  })

  test('are drawn on a scale that holds them, of round numbers', () => {
    for (const most of [0, 1, 2, 3, 4, 5, 7, 12, 99, 100, 101, 4321, 1_000_000]) {
      const lines = scale(most)
      expect(lines[0]).toBe(0)
      expect(lines.at(-1)).toBeGreaterThanOrEqual(Math.max(1, most))
      expect(lines.at(-2)!).toBeLessThan(Math.max(1, most))
      expect(lines.length).toBeLessThanOrEqual(6)
      expect(lines.every((n) => Number.isInteger(n))).toBe(true)
    }
  })
})
