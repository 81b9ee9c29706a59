import { describe, expect, test } from 'vitest'
import { accessible, edited, fault, open, picture, served, trc, useBrowser } from './browser'
import { recorded } from './motion'

describe('captures', () => {
  useBrowser()

  test('are listed with an exact total, and paged', async () => {
    const page = await open('/captures')
    await page.getByText(/^[\d,]+ captures$/).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(51)
    await accessible(page)
    await picture(page, 'captures')
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.getByText(/^51–100 of /).waitFor()
    expect(page.url()).toContain('offset=50')
    await page.getByRole('link', { name: 'Last page' }).click()
    await page.getByText(/ of [\d,]+$/).first().waitFor()
    await page.goBack()
    await page.getByText(/^51–100 of /).waitFor()
  })

  test('are where they were when somebody comes back', async () => {
    const page = await open('/captures')
    await page.getByRole('table').waitFor()
    await page.evaluate(() => scrollTo(0, 1200))
    await page.locator('tbody tr').nth(25).locator('a').first().click()
    await page.waitForURL(/captures\/.+/)
    await expect.poll(() => page.evaluate(() => [scrollY, document.activeElement?.id])).toEqual([0, 'content'])
    await page.goBack()
    await page.getByRole('table').waitFor()
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(900)
  })

  test('give the focus back to what opened a dialog', async () => {
    const page = await open('/captures', { token: served.empty })
    const upload = page.getByRole('button', { name: 'Upload' })
    await upload.click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.outerHTML)).toContain('Upload')
  })

  test('are filtered from the address bar, which keeps the filters', async () => {
    const page = await open('/captures?activity=jump&status=completed')
    await page.getByText(/captures with these filters/).waitFor()
    await expect.poll(() => page.getByLabel('Activity').inputValue()).toBe('jump')
    await page.getByLabel('Movement', { exact: true }).fill('countermovement')
    await page.waitForURL(/movement=countermovement/)
    await page.getByText('jump · countermovement').first().waitFor()
    await page.reload()
    await page.getByText('jump · countermovement').first().waitFor()
  })

  test('are filtered by days where the person is, the last one included', async () => {
    const times = ['2019-03-09T23:30:00.000Z', '2019-03-10T00:30:00.000Z', '2019-03-12T22:30:00.000Z', '2019-03-13T00:30:00.000Z']
    for (const [n, at] of times.entries()) await recorded(`dated ${n}.trc`, trc(), { activity: 'dated', movement: 'range' }, at)
    const page = await open('/captures?activity=dated')
    await page.getByText('4 captures with these filters').waitFor()
    await page.getByLabel('Recorded from').fill('2019-03-10')
    await page.getByText('3 captures with these filters').waitFor()
    await page.getByLabel('Recorded to').fill('2019-03-12')
    await page.getByText('2 captures with these filters').waitFor()
    await page.waitForURL(/captured_from=2019-03-10&captured_to=2019-03-12/)
    await page.reload()
    await page.getByText('2 captures with these filters').waitFor()
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await page.waitForURL((u) => !u.searchParams.has('captured_from'))
  })

  test('are filtered by an athlete who is found by name, with the keyboard alone', async () => {
    const page = await open('/captures')
    await page.getByRole('combobox', { name: 'Athlete' }).focus()
    await page.keyboard.type('a')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/athlete_id=/)
    await page.getByText(/captures? with these filters|No capture fits/).first().waitFor()
  })

  test('say so when none fits, and when there are none at all', async () => {
    const page = await open('/captures?activity=curling')
    await page.getByText('No capture fits').waitFor()
    const empty = await open('/captures', { token: served.empty })
    await empty.getByText('No captures yet').waitFor()
    await accessible(empty)
    await picture(empty, 'captures-empty')
  })

  test('stay quick and exact at a million', async () => {
    const page = await open('/captures', {
      before: (page) => edited<{ total_count: number }>(page, /console\/v1\/captures\?/, (body) => {
        body.total_count = 1_000_000
      }),
    })
    await page.getByText('1,000,000 captures').waitFor()
    await page.getByRole('link', { name: 'Last page' }).click()
    await page.waitForURL(/offset=999950/)
  })

  test('show names as text, whatever is in them', async () => {
    const movement = '<img src=x onerror=alert(1)> 🏃 קפיצה'
    const page = await open('/captures', {
      before: (page) => edited<{ captures: { movement: string }[] }>(page, /console\/v1\/captures\?/, (body) => {
        body.captures[0]!.movement = movement
      }),
    })
    await page.getByText(movement).waitFor()
    await expect.poll(() => page.locator('table img').count()).toBe(0)
  })

  for (const [status, title] of [[403, 'Not allowed with this token'], [429, 'Too many requests'], [503, 'The server is busy'], [500, 'That did not work']] as const) {
    test(`say what is wrong when the server answers with ${status}`, async () => {
      const page = await open('/captures')
      await page.getByRole('table').waitFor()
      const mend = await fault(page, /console\/v1\/captures\?/, status, `Sentence of the ${status}.`, { 'Retry-After': '600' })
      await page.getByLabel('Status').selectOption('completed')
      await page.getByText(title).waitFor()
      await page.getByText(`Sentence of the ${status}.`).waitFor()
      await accessible(page)
      if (status === 429) await page.getByText(/in \d+ s by itself/).waitFor()
      await mend()
      // The list may have looked again by itself in the meantime.
      await page.getByRole('button', { name: /Try again/ }).click({ timeout: 20_000 }).catch(() => undefined)
      await page.getByText(title).waitFor({ state: 'detached' })
    })
  }

  test('come back by themselves after a lost connection', async () => {
    const page = await open('/captures')
    await page.getByRole('table').waitFor()
    await page.context().setOffline(true)
    await page.getByLabel('Status').selectOption('completed')
    await page.getByText('No connection').waitFor()
    await picture(page, 'captures-offline')
    await page.context().setOffline(false)
    await page.getByText('No connection').waitFor({ state: 'detached', timeout: 30_000 })
  })

  test('are looked at again without taking the focus, the place or the picture away', async () => {
    let status = 'processing'
    const page = await open('/captures', {
      before: (page) => edited<{ captures: { status: string }[] }>(page, /console\/v1\/captures\?/, (body) => {
        body.captures[9]!.status = status
      }),
    })
    const row = page.getByRole('row').nth(10)
    await row.getByText('Processing').waitFor()
    await row.getByRole('link').first().focus()
    await page.evaluate(() => { scrollTo(0, 300); (document.activeElement as HTMLElement).dataset.kept = 'yes' })
    status = 'completed'
    await row.getByText('Completed').waitFor() // by itself, in some seconds
    await expect.poll(() => page.evaluate(() => [(document.activeElement as HTMLElement).dataset.kept, scrollY])).toEqual(['yes', 300])
  })

  test('are not asked for before the server said so, nor again while an answer is awaited', async () => {
    const page = await open('/captures')
    await page.getByRole('table').waitFor()
    await page.clock.install()
    let asked = 0
    let held: (() => void) | undefined
    await page.route(/console\/v1\/captures\?/, async (route) => {
      asked++
      if (asked === 1) return route.fulfill({ status: 429, contentType: 'application/json', headers: { 'Retry-After': '60' }, body: '{"error":"TooManyRequests","message":"Slow down."}' })
      await new Promise<void>((done) => { held = done })
      await route.continue()
    })
    await page.reload()
    await page.getByText('Slow down.').waitFor()
    await page.clock.runFor(50_000) // it is looked every 15 s otherwise
    expect(asked).toBe(1)
    const second = page.waitForRequest(/console\/v1\/captures\?/)
    await page.clock.runFor(11_000)
    await second
    await page.clock.runFor(60_000)
    expect(asked).toBe(2)
    held!()
    await page.getByRole('table').waitFor()
  })

  test('of other filters are not shown when those that fit cannot be had', async () => {
    const page = await open('/captures')
    await page.getByRole('table').waitFor()
    await fault(page, /console\/v1\/captures\?/, 500, 'Broken.')
    await page.getByLabel('Status').selectOption('error')
    await page.getByText('Broken.').waitFor()
    await expect.poll(() => page.getByRole('table').count()).toBe(0)
  })

  test('leave their filters by one click, and the pager keeps the focus at its end', async () => {
    const page = await open('/captures?activity=jump&limit=25')
    await page.getByRole('link', { name: 'Last page' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/offset=/)
    await page.locator('a[aria-label="Last page"][aria-disabled]').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Last page')
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await page.waitForURL(/captures\?limit=25$/)
  })

  test('fit on a tablet', async () => {
    const page = await open('/captures', { width: 768, height: 1024 })
    await page.getByRole('table').waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(768)
    await accessible(page)
    await picture(page, 'captures-tablet')
  })
})
