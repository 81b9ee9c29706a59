import { describe, expect, test } from 'vitest'
import { accessible, fault, open, picture, served, trc, useBrowser } from './browser'

describe('captures', () => {
  useBrowser()

  test('are listed with an exact total, and paged', async () => {
    const page = await open('/captures')
    await page.getByText(/^[\d,]+ captures$/).waitFor()
    expect(await page.getByRole('row').count()).toBe(51)
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
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await page.goBack()
    await page.getByRole('table').waitFor()
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(900)
  })

  test('give the focus back to what opened a dialog', async () => {
    const page = await open('/captures', { token: served.empty })
    const upload = page.getByRole('button', { name: 'Upload' })
    await upload.click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.outerHTML)).toContain('Upload')
  })

  test('that are no motion are left out before anything is sent', async () => {
    const page = await open('/captures', { token: served.empty })
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByLabel('Files to upload').setInputFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
      { name: 'kinebase.csv', mimeType: 'text/csv', buffer: Buffer.from('file,activity') },
      { name: 'empty.c3d', mimeType: 'application/octet-stream', buffer: Buffer.alloc(0) },
    ])
    await page.getByText('It is left out.').nth(2).waitFor()
    expect(await page.getByRole('button', { name: 'Upload', exact: true }).last().isDisabled()).toBe(true)
  })

  test('are filtered from the address bar, which keeps the filters', async () => {
    const page = await open('/captures?activity=jump&status=completed')
    await page.getByText(/captures with these filters/).waitFor()
    expect(await page.getByLabel('Activity').inputValue()).toBe('jump')
    await page.getByLabel('Movement').fill('countermovement')
    await page.waitForURL(/movement=countermovement/)
    await page.getByText('jump · countermovement').first().waitFor()
    await page.reload()
    await page.getByText('jump · countermovement').first().waitFor()
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
    const page = await open('/captures')
    await page.route(/console\/v1\/captures\?/, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as object
      await route.fulfill({ response: answer, json: { ...body, total_count: 1_000_000 } })
    })
    await page.reload()
    await page.getByText('1,000,000 captures').waitFor()
    await page.getByRole('link', { name: 'Last page' }).click()
    await page.waitForURL(/offset=999950/)
  })

  test('show names as text, whatever is in them', async () => {
    const page = await open('/captures')
    const movement = '<img src=x onerror=alert(1)> 🏃 קפיצה'
    await page.route(/console\/v1\/captures\?/, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { captures: { movement: string }[] }
      body.captures[0]!.movement = movement
      await route.fulfill({ response: answer, json: body })
    })
    await page.reload()
    await page.getByText(movement).waitFor()
    expect(await page.locator('table img').count()).toBe(0)
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
      await page.getByRole('button', { name: /Try again/ }).click({ timeout: 2000 }).catch(() => undefined)
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

  test('are uploaded once when the answer is lost on the way, and not told to have failed', async () => {
    const page = await open('/captures')
    let lost = 0
    await page.route(/console\/v1\/captures\/[^/]+\/file$/, async (route) => {
      if (lost++ > 0) return route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByLabel('Files to upload').setInputFiles({ name: 'lost-answer.trc', mimeType: 'text/plain', buffer: trc() })
    await page.getByRole('button', { name: 'Upload 1 file' }).click()
    await page.getByText('Done').waitFor()
    expect(lost).toBe(2)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('are uploaded, several at once, with what they have in common', async () => {
    const page = await open('/captures', { token: served.empty })
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByLabel('Files to upload').setInputFiles([
      { name: 'swing 1.trc', mimeType: 'text/plain', buffer: trc() },
      { name: 'swing 2.trc', mimeType: 'text/plain', buffer: trc(40) },
      { name: 'broken.c3d', mimeType: 'application/octet-stream', buffer: Buffer.from('this is no motion') },
    ])
    await page.getByLabel('Activity').last().fill('golf')
    await page.getByLabel('Movement').last().fill('swing')
    await page.getByLabel('Handedness').selectOption('left')
    await accessible(page)
    await picture(page, 'upload')
    await page.getByRole('button', { name: 'Upload 3 files' }).click()
    await page.getByText('Done').nth(1).waitFor()
    await page.getByText('Failed').waitFor()
    await accessible(page)
    await picture(page, 'upload-done')
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('3 captures').waitFor()
    await page.getByText('golf · swing').first().waitFor()
    await page.getByText('Completed').nth(2).waitFor()
  })

  test('are sent again when the connection was lost', async () => {
    const page = await open('/captures', { token: served.empty })
    await page.getByRole('button', { name: 'Upload' }).first().click()
    let lost = 0
    await page.route(/\/file(\?|$)/, (route) => (lost++ === 0 ? route.abort() : route.continue()))
    await page.getByLabel('Files to upload').setInputFiles([{ name: 'again.trc', mimeType: 'text/plain', buffer: trc(30) }])
    await page.getByRole('button', { name: 'Upload 1 file' }).click()
    await page.getByText('Done').waitFor()
    expect(lost).toBe(2)
  })
})
