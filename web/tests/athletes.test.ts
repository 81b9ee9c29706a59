import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { accessible, fault, open, picture, served, useBrowser } from './browser'
import { call, leapCSV, recorded } from './motion'

describe('athletes', () => {
  useBrowser()

  test('are searched', async () => {
    const page = await open('/athletes')
    await page.getByText(/^[\d,]+ athletes$/).waitFor()
    await accessible(page)
    await picture(page, 'athletes')
    await page.getByLabel('Name or e-mail address').fill('zzzz')
    await page.getByText('Nobody of this name').waitFor()
    expect(page.url()).toContain('q=zzzz')
    await page.getByRole('link', { name: 'Show all athletes' }).click()
    await page.getByText(/^[\d,]+ athletes$/).waitFor()
  })

  test('are shown with their captures over time', async () => {
    const page = await open('/athletes')
    await page.locator('tbody a').first().click()
    await page.getByRole('heading', { name: 'Captures' }).waitFor()
    await page.getByRole('table').waitFor()
    await page.locator('.over-time circle').first().waitFor()
    await accessible(page)
    await picture(page, 'athlete')
  })

  test('put captures that are chosen on their page into a comparison, and export them', async () => {
    const { athlete } = (await (await call('POST', '/athletes', { first_name: 'Compared' })).json()) as { athlete: { id: string } }
    const jumps: string[] = []
    for (const n of [1, 2, 3]) {
      const jump = await recorded(`chosen-${n}.csv`, leapCSV(1 + n / 10), { activity: 'Jump', movement: 'Countermovement' }, `2026-0${n}-10T10:00:00Z`)
      expect((await call('POST', `/captures/${jump}/athletes`, { athlete_id: athlete.id })).status).toBeLessThan(300)
      jumps.push(jump)
    }
    const page = await open(`/athletes/${athlete.id}`)
    await page.getByRole('checkbox', { name: 'Choose chosen-1.csv' }).check()
    await page.getByRole('checkbox', { name: 'Choose chosen-3.csv' }).check()
    const bar = page.getByRole('region', { name: 'Chosen captures' })
    await bar.getByRole('button', { name: 'Export' }).click()
    await expect.poll(() => page.getByRole('dialog').locator('.estimate:not(.old) dd').allTextContents()).toContain('2')
    await page.keyboard.press('Escape')
    await bar.getByRole('link', { name: 'Compare' }).click()
    await page.waitForURL((u) => u.pathname === '/compare')
    expect(new URL(page.url()).searchParams.getAll('capture')).toEqual([jumps[0], jumps[2]])
    await page.getByRole('complementary', { name: 'What is compared' }).getByText('2 captures').first().waitFor()
  })

  test('show the progress of any metric of a movement, as a chart, a table and a file', async () => {
    const { athlete } = (await (await call('POST', '/athletes', { first_name: 'Progress' })).json()) as { athlete: { id: string } }
    const id = athlete.id
    for (const [n, push] of [1.1, 1.2, 1.3].entries()) {
      const jump = await recorded(`jump-${n}.csv`, leapCSV(push), { activity: 'Jump', movement: 'Countermovement' }, `2026-0${n + 1}-10T10:00:00Z`)
      expect((await call('POST', `/captures/${jump}/athletes`, { athlete_id: id })).status).toBeLessThan(300)
    }
    type Page = { captures: { session_id: string; metrics: Record<string, { value: number | null; message: string | null }> }[] }
    const { captures } = (await (await call('GET', `/athletes/${id}/metrics?metric=jump_height`)).json()) as Page
    const values = captures.flatMap((c) => c.metrics.jump_height?.value ?? [])
    expect(values.length).toBe(3)
    expect(values[2]).toBeGreaterThan(values[0]!)
    const page = await open(`/athletes/${id}?activity=jump&movement=countermovement&metric=jump_height`)
    const progress = page.getByRole('region', { name: 'Progress' })
    await progress.locator('circle').first().waitFor()
    await expect.poll(() => progress.locator('circle').count()).toBe(values.length)
    await progress.getByText(`${values.length} of ${captures.length} captures have a value.`).waitFor()
    // The definitions come with the library, which the page loads by itself.
    await expect.poll(async () => (await progress.getByLabel('Metric').getAttribute('title')) ?? '').toContain('By impulse')
    expect(await progress.getByLabel('Metric').locator('option:checked').textContent()).toBe('Jump height (m)')
    await accessible(page)
    await picture(page, 'athlete-progress')

    const file = page.waitForEvent('download')
    await progress.getByRole('button', { name: 'Download CSV' }).click()
    const lines = readFileSync(await (await file).path(), 'utf8').trim().split('\r\n').map((l) => l.split(','))
    expect(lines.length).toBe(1 + captures.length)
    expect(lines.slice(1).map((l) => [l[0], l[5]])).toEqual(captures.map((c) => [c.session_id, String(c.metrics.jump_height?.value ?? '')]))

    // The newest is in the order of tabs; the one before it is an arrow away, and opens with Enter.
    const dots = progress.locator('svg a')
    await dots.last().focus()
    await page.keyboard.press('ArrowLeft')
    const before = captures.filter((c) => c.metrics.jump_height?.value != null).at(-2)!
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(`/captures/${before.session_id}`)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toContain(`${before.metrics.jump_height!.value!.toFixed(4)} m`)

    await progress.getByLabel('Metric').selectOption('jump_flight_time')
    await progress.getByRole('columnheader', { name: 'Value (s)' }).waitFor()
    expect(page.url()).toContain('metric=jump_flight_time')
    await page.setViewportSize({ width: 390, height: 844 })
    await progress.locator('circle').first().waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await picture(page, 'athlete-progress-narrow')
    await progress.locator('svg a').first().focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/captures\/.+/)
  })

  test('are added, edited and deleted, with the rules beside the fields', async () => {
    const page = await open('/athletes', { token: served.empty })
    await page.getByText('No athletes yet').waitFor()
    await page.getByRole('button', { name: 'Add an athlete' }).click()
    await page.getByLabel('E-mail', { exact: true }).fill('nobody')
    await page.getByLabel('Height in centimetres').fill('tall')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    for (const label of ['First name (needed)', 'E-mail', 'Height in centimetres']) {
      await page.locator('.field.faulty').filter({ has: page.getByLabel(label, { exact: true }) }).locator('.fault').waitFor()
    }
    await accessible(page)
    await picture(page, 'athlete-faults')

    const name = 'Zoë 🏃 <i>نور</i>'
    await page.getByLabel('First name (needed)').fill(name)
    await page.getByLabel('E-mail', { exact: true }).fill('zoe@example.org')
    await page.getByLabel('Height in centimetres').fill('178')
    await page.getByLabel('Sport').selectOption('baseball')
    await page.getByLabel('pitcher').check()
    await page.getByRole('button', { name: 'Add an attribute' }).click()
    await page.getByLabel('Name of attribute 1').fill('team')
    await page.getByLabel('Value of attribute 1').fill('red')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('heading', { name, exact: true }).waitFor()
    await page.getByText('178 cm (70 in)').waitFor()
    await page.getByText('red', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Sport').selectOption('golf')
    await page.getByLabel('E-mail', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Remove attribute team' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('golf', { exact: true }).waitFor()
    await expect.poll(() => page.getByText('pitcher').count()).toBe(0)
    await expect.poll(() => page.getByText('zoe@example.org').count()).toBe(0)
    await expect.poll(() => page.getByText('red', { exact: true }).count()).toBe(0)

    await page.getByRole('button', { name: 'Delete' }).click()
    const erase = page.getByRole('button', { name: 'Delete', exact: true }).last()
    await expect.poll(() => erase.isDisabled()).toBe(true)
    await accessible(page)
    await picture(page, 'athlete-delete')
    await page.getByLabel(/Type the name/).fill(name)
    await page.clock.install()
    await erase.click()
    await page.getByRole('region', { name: 'Deletions' }).getByText('1 athlete will be deleted').waitFor()
    await page.clock.fastForward(30_000)
    await page.getByText('No athletes yet').waitFor()
  })

  test('keep what was written when the server is busy', async () => {
    const page = await open('/athletes', { token: served.empty })
    await page.getByRole('button', { name: 'Add an athlete' }).click()
    await page.getByLabel('First name (needed)').fill('Ada')
    const mend = await fault(page, /console\/v1\/athletes$/, 503, 'The server is stopping. Try again in a moment.')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('The server is stopping.').waitFor()
    await expect.poll(() => page.getByLabel('First name (needed)').inputValue()).toBe('Ada')
    await mend()
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  test('that are not there say so', async () => {
    const page = await open('/athletes/00000000-0000-7000-8000-000000000000')
    await page.getByText('There is no such athlete').waitFor()
  })
})
