import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { accessible, fault, open, picture, served, useBrowser } from './browser'

const estimate = /console\/v1\/data\/export\/estimate$/
const list = /console\/v1\/data\/export\/job\?/
const job = /console\/v1\/data\/export\/job\/[^/?]+(\?include=file)?$/

/** told has the interface tell of a job that cannot be made on purpose. */
async function told(page: Page, more: object): Promise<void> {
  await page.route(job, (route) => route.fulfill({ json: { jobId: 'told', createdAt: '2026-05-13T12:00:00.000Z', ...more } }))
}

/** numbers are those that the form estimates. */
async function numbers(page: Page): Promise<string[]> {
  await page.locator('.estimate:not(.old) dd').first().waitFor()
  return page.locator('.estimate dd').allTextContents()
}

describe('exports', () => {
  useBrowser()

  test('say so when there are none', async () => {
    const page = await open('/exports', { token: served.empty })
    await page.getByText('No exports yet').waitFor()
    await page.getByText('Nothing fits: the export would have no rows.').waitFor()
    await accessible(page)
    await picture(page, 'exports-empty')
  })

  test('are asked for, watched, looked at and downloaded', async () => {
    const page = await open('/exports')
    const all = await numbers(page)
    await page.getByLabel('Activity').fill('jump')
    await page.waitForURL(/activity=jump/)
    await expect.poll(() => numbers(page)).not.toEqual(all)
    const [captures, rows] = await numbers(page)
    expect(Number(captures)).toBeGreaterThan(0)
    await accessible(page)
    await picture(page, 'exports-form')

    await page.getByRole('button', { name: 'Start the export' }).click()
    await page.waitForURL(/\/exports\/[^?]+\?activity=jump&asked=1$/)
    await page.getByText('Completed').waitFor()
    await page.getByRole('region', { name: 'Rows', exact: true }).waitFor()
    await expect.poll(() => page.locator('.told').innerText()).toContain(rows)
    await expect.poll(() => page.getByRole('columnheader', { name: 'sessionid' }).count()).toBe(1)
    await accessible(page)
    await picture(page, 'export')
    await page.getByRole('region', { name: 'Rows', exact: true }).evaluate((e) => e.scrollTo(0, 200))
    const [head, region] = await Promise.all([page.getByRole('columnheader').first().boundingBox(), page.getByRole('region', { name: 'Rows', exact: true }).boundingBox()])
    expect(Math.abs(head!.y - region!.y)).toBeLessThan(3)

    await page.getByLabel('Columns with').fill('frame')
    await expect.poll(() => page.getByRole('columnheader').allTextContents()).toContain('frame')
    await expect.poll(() => page.getByRole('columnheader', { name: 'sessionid' }).count()).toBe(0)
    await page.getByLabel('Columns with').fill('no such column')
    await page.getByText('No column of this name').waitFor()

    const files: Record<string, Buffer> = {}
    for (const [name, title] of [['sheet', 'CSV for spreadsheets'], ['csv', 'CSV For programs'], ['ndjson', 'NDJSON'], ['parquet', 'Parquet']] as const) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: title }).click()])
      expect(download.suggestedFilename()).toMatch(name === 'sheet' ? /^export-.+\.csv$/ : new RegExp(`^export-.+\\.${name}$`))
      files[name] = readFileSync(await download.path())
    }
    expect(files.sheet!.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(files.sheet!.subarray(3).equals(files.csv!)).toBe(true)
    expect(files.csv!.toString().trimEnd().split('\n').length - 1).toBe(Number(rows!.replaceAll(',', '')))
    expect(JSON.parse(files.ndjson!.toString().split('\n')[0]!)).toHaveProperty('sessionid')
    expect(files.parquet!.subarray(0, 4).toString()).toBe('PAR1')
    await expect.poll(() => page.getByLabel('Ask for the same again').innerText()).toContain(`--json '{"activity":"jump"}'`)

    await page.getByRole('link', { name: 'Exports' }).last().click()
    await page.getByText('jump', { exact: true }).waitFor()
    await picture(page, 'exports')
    await page.goBack()
    await page.getByRole('link', { name: 'Ask for it again' }).click()
    await page.waitForURL(/\/exports\?activity=jump$/)
  })

  test('hold what the form says: athletes, days, columns and rows', async () => {
    const page = await open('/exports')
    let asked: unknown
    await page.route(/console\/v1\/data\/export$/, (route) => { asked = route.request().postDataJSON(); return route.continue() })
    for (const part of ['a', 'e']) {
      await page.getByRole('combobox', { name: 'athlete' }).fill(part)
      await page.getByRole('listbox').getByRole('option').nth(part === 'a' ? 0 : 1).click()
    }
    await expect.poll(() => page.getByLabel('Athletes chosen').getByRole('listitem').count()).toBe(2)
    await page.getByLabel('From').fill('2026-05-01')
    await page.getByLabel('To, that day included').fill('2026-05-31')
    await page.getByLabel('The days are about').selectOption('last_modified')
    await page.getByLabel('Rows').selectOption('first')
    const page2 = await open(new URL(page.url()).pathname + new URL(page.url()).search)
    await expect.poll(() => page2.getByLabel('To, that day included').inputValue()).toBe('2026-05-31')
    await expect.poll(() => page2.getByLabel('Rows').inputValue()).toBe('first')
    await page.getByRole('button', { name: /^Remove / }).first().click()
    await expect.poll(() => page.getByLabel('Athletes chosen').getByRole('listitem').count()).toBe(1)
    await page.getByRole('button', { name: 'Start the export' }).click()
    await page.getByRole('heading', { name: /^Export of/ }).waitFor()
    expect(asked).toMatchObject({ startTime: '2026-05-01', endTime: '2026-06-01', dateMode: 'last_modified', row_filter_column: 'frame' })
    expect((asked as { athletes: string[] }).athletes).toHaveLength(1)
  })

  test('have the rules beside the fields', async () => {
    const page = await open('/exports?from=2026-05-31&to=2026-05-01')
    const faulty = (label: string) => page.locator('.field.faulty').filter({ has: page.getByLabel(label) }).locator('.fault')
    await faulty('To, that day included').waitFor()
    await page.getByLabel('To, that day included').fill('')
    await page.getByLabel('Columns', { exact: true }).fill('nothing_x, LASI_x,')
    await expect.poll(() => page.getByLabel('Columns chosen').getByRole('listitem').allTextContents()).toEqual(['nothing_x×', 'LASI_x×'])
    await page.getByLabel('Rows').selectOption('event')
    await page.getByRole('button', { name: 'Start the export' }).click()
    await faulty('Event').waitFor()
    await page.getByLabel('Event').fill('no_such_event')
    await page.getByRole('button', { name: 'Start the export' }).click()
    await faulty('Columns').getByText('nothing_x').waitFor()
    await accessible(page)
    await picture(page, 'exports-faults')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.waitForURL(/\/exports$/)
    await expect.poll(() => page.locator('.fault').count()).toBe(0)
  })

  test('show how far they are, and are canceled', async () => {
    const page = await open('/exports')
    await page.getByRole('heading', { name: 'Exports' }).waitFor()
    let progress = 0.2
    let canceled = false
    const now = () => (canceled
      ? { jobId: 'told', createdAt: '2026-05-13T12:00:00.000Z', status: 'CANCELED', completedAt: '2026-05-13T12:00:02.000Z', progress }
      : { jobId: 'told', createdAt: '2026-05-13T12:00:00.000Z', status: 'RUNNING', progress })
    await page.route(list, (route) => route.fulfill({ json: { jobs: [now()], total_count: 1, offset: 0, limit: 25 } }))
    await page.route(job, (route) => route.fulfill({ json: now() }))
    await page.route(/\/cancel$/, (route) => { canceled = true; return route.fulfill({ json: now() }) })
    await page.reload()
    await page.getByText('20 %').waitFor()
    progress = 0.4
    await page.getByText('40 %').waitFor()
    await picture(page, 'exports-running')
    await page.getByRole('link', { name: '13 May 2026' }).click()
    await page.getByText('Choosing the captures').waitFor()
    progress = 0.75
    await page.getByText('Opening their files').waitFor()
    await accessible(page)
    await picture(page, 'export-running')
    await page.getByRole('button', { name: 'Cancel the export' }).click()
    await page.getByText('This export was canceled').waitFor()
  })

  test('that are over before they are canceled say so', async () => {
    const page = await open('/exports/told', { before: (page) => told(page, { status: 'RUNNING', progress: 0.9 }) })
    await fault(page, /\/cancel$/, 409, 'Only a RUNNING job can be canceled; this one is COMPLETED.')
    await page.getByRole('button', { name: 'Cancel the export' }).click()
    await page.getByText('That does not fit what is there').waitFor()
  })

  test('that failed say why, and how to ask for less', async () => {
    const page = await open('/exports/told?activity=jump&from=2026-05-01&to=2026-05-31&athlete=a&athlete=b&athlete=c&asked=1', {
      before: (page) => told(page, { status: 'FAILED', completedAt: '2026-05-13T12:01:00.000Z', errorMessage: 'The export is too large. Narrow the date range or request fewer athletes.' }),
    })
    await page.getByText('The export is too large.').waitFor()
    await accessible(page)
    await picture(page, 'export-failed')
    await page.getByRole('link', { name: 'Only the first of 3 athletes' }).click()
    await page.waitForURL(/\/exports\?athlete=a&activity=jump/)
    await page.goBack()
    await page.getByRole('link', { name: 'Only the later half of the time: 17 May 2026 – 31 May 2026' }).click()
    await page.waitForURL(/from=2026-05-17&to=2026-05-31/)
    await expect.poll(() => page.getByLabel('From').inputValue()).toBe('2026-05-17')

    // Without days of its own it is halved by those of the captures that there are.
    await page.goto(`${served.url}/exports/told?activity=jump&asked=1`)
    await page.getByRole('link', { name: /^Only the later half of the time/ }).click()
    await page.waitForURL(/activity=jump&from=[\d-]+&to=[\d-]+$/)
    // What a script asked for is not known here.
    await page.goto(`${served.url}/exports/told`)
    await page.getByText('What it asked for is not known').waitFor()
  })

  test('name what they left out', async () => {
    const id = '<b>walk</b>/1 نور'
    const page = await open('/exports/told', {
      before: async (page) => {
        await told(page, { status: 'COMPLETED', completedAt: '2026-05-13T12:01:00.000Z', progress: 1, rowCount: 0, skipped: [{ captureId: id, reason: 'The capture has no motion.' }], skippedCount: 4012, skippedReasons: [{ reason: 'The capture has no motion.', count: 4000 }, { reason: 'It has no such event.', count: 12 }] })
        await page.route(/\/results\?/, (route) => route.fulfill({ json: { results: [], total_count: 0, offset: 0, limit: 20 } }))
      },
    })
    await page.getByText('The capture has no motion.').waitFor()
    await page.getByText('4,012 captures were left out. The first 1 of them are named here.').waitFor()
    await expect.poll(() => page.locator('.left-out h3').allInnerTexts()).toEqual([expect.stringMatching(/no motion\.\s+4,000 captures/), expect.stringMatching(/no such event\.\s+12 captures/)])
    await page.getByText('None of them is among those that are named.').waitFor()
    await expect.poll(() => page.getByRole('link', { name: id }).getAttribute('href')).toBe(`/captures/${encodeURIComponent(id)}`)
    await page.getByText('No completed capture fits').waitFor()
    await accessible(page)
    await fault(page, /\/results\?/, 404, 'The result of this export has been erased.')
    await page.reload()
    await page.getByText('The result is no longer there').waitFor()
    await expect.poll(() => page.getByText('NDJSON').count()).toBe(0)
  })

  test('show what is missing as missing, and names as text', async () => {
    const name = '<img src=x onerror=alert(1)> 🏃 נור'
    const page = await open('/exports/told', {
      before: async (page) => {
        await told(page, { status: 'COMPLETED', completedAt: '2026-05-13T12:01:00.000Z', progress: 1, rowCount: 2 })
        await page.route(/\/results\?/, (route) => route.fulfill({ json: { results: [{ athlete_name: name, LASI_x: 0.25, zero: 0 }, { athlete_name: null, LASI_x: null, zero: 0 }], total_count: 2, offset: 0, limit: 20 } }))
      },
    })
    await page.getByRole('cell', { name }).waitFor()
    await expect.poll(() => page.getByRole('row').last().getByRole('cell').allTextContents()).toEqual(['–', '–', '0'])
    await expect.poll(() => page.getByTitle('Missing').count()).toBe(2)
    await expect.poll(() => page.locator('table img').count()).toBe(0)
  })

  test('that are not there say so', async () => {
    const page = await open('/exports/nothing')
    await page.getByText('There is no such export').waitFor()
  })

  test('are only looked at by who may not ask for any', async () => {
    const page = await open('/exports', { token: served.viewer })
    await page.getByRole('heading', { name: 'Exports' }).waitFor()
    await page.getByText(/exports?$/).first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Start the export' }).count()).toBe(0)
  })

  for (const [status, title] of [[403, 'Not allowed with this token'], [429, 'Too many requests'], [503, 'The server is busy'], [500, 'That did not work']] as const) {
    test(`say what is wrong when the server answers with ${status}`, async () => {
      const page = await open('/exports')
      await numbers(page)
      const mend = [await fault(page, list, status, `Sentence of the list, ${status}.`, { 'Retry-After': '600' }), await fault(page, estimate, status, `Sentence of the estimate, ${status}.`)]
      await page.goto(`${served.url}/exports?activity=jump`)
      await page.getByText(title).waitFor()
      await page.getByText(`Sentence of the list, ${status}.`).waitFor()
      await page.getByText(`Sentence of the estimate, ${status}.`).waitFor()
      await accessible(page)
      if (status === 503) await picture(page, 'exports-busy')
      await fault(page, /console\/v1\/data\/export$/, status, `Sentence of the start, ${status}.`)
      await page.getByRole('button', { name: 'Start the export' }).click()
      await page.getByText(`Sentence of the start, ${status}.`).waitFor()
      await expect.poll(() => page.getByLabel('Activity').inputValue()).toBe('jump')
      for (const m of mend) await m()
      // What is tried again by itself may be gone before it is clicked.
      await expect.poll(async () => {
        await page.getByRole('button', { name: /Try again/ }).first().click({ timeout: 1000 }).catch(() => undefined)
        return page.getByText(`Sentence of the list, ${status}.`).count()
      }, { timeout: 20_000 }).toBe(0)
      await numbers(page)
    })
  }

  test('come back by themselves after a lost connection', async () => {
    const page = await open('/exports')
    await numbers(page)
    await page.context().setOffline(true)
    await page.getByLabel('Activity').fill('golf')
    await page.getByText('How much it would be cannot be told just now.').waitFor()
    await page.getByRole('button', { name: 'Start the export' }).click()
    await page.getByRole('form').getByText('No connection').waitFor()
    await page.context().setOffline(false)
    await page.getByText('How much it would be cannot be told just now.').waitFor({ state: 'detached', timeout: 30_000 })
    await page.getByRole('button', { name: 'Start the export' }).click()
    await page.getByRole('heading', { name: /^Export of/ }).waitFor()
  })
})
