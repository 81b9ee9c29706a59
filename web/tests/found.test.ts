// Captures that are found again: by names in lists, by what is searched for, and by Back.
import { beforeAll, describe, expect, test } from 'vitest'
import { accessible, edited, open, picture, served, trc, useBrowser } from './browser'
import { call, recorded, walkTRC } from './motion'

const list = /console\/v1\/captures\?/

describe('captures', () => {
  useBrowser()

  let athlete = ''
  let capture = ''
  beforeAll(async () => {
    athlete = ((await (await call('POST', '/athletes', { first_name: 'Zora', last_name: 'Findable' })).json()) as { athlete: { id: string } }).athlete.id
    capture = await recorded('iPhone walk.trc', walkTRC(), { activity: 'jump', movement: 'squat' })
    expect((await call('POST', `/captures/${capture}/athletes`, { athlete_id: athlete })).status).toBeLessThan(300)
  })

  test('are listed with the names of files and athletes by one call, however many rows there are', async () => {
    const page = await open('/tokens')
    await page.getByRole('table').waitFor()
    let before = new Set<string>() // what the screen before asks for
    for (const [name, path, most] of [['Captures', '/captures', 1], ['Overview', '/overview', 1]] as const) {
      const asked: string[] = []
      const note = (r: { url: () => string }) => { const { pathname, search } = new URL(r.url()); if (pathname.startsWith('/console/v1/')) asked.push(pathname + search) }
      page.on('request', note)
      await page.getByRole('link', { name, exact: true }).first().click()
      await page.waitForURL((u) => u.pathname === path)
      await page.locator(':text("Zora Findable"):visible').first().waitFor()
      await page.locator(':text("iPhone walk.trc"):visible').first().waitFor()
      await page.waitForLoadState('networkidle')
      page.off('request', note)
      // It, or the screen before, may have looked a second time by itself; it has asked for nothing of a single row.
      const own = asked.filter((one) => !before.has(one))
      expect(new Set(own).size, asked.join(' ')).toBe(most)
      before = new Set(own)
      if (path === '/captures') await picture(page, 'captures-named')
    }
    await accessible(page)
    await picture(page, 'overview-named')
  })

  test('are searched for, and the address bar has what was searched for', async () => {
    const page = await open('/captures')
    await page.getByRole('table').waitFor()
    const asked = page.waitForRequest((r) => list.test(r.url()) && new URL(r.url()).searchParams.get('q') === 'iphone wa')
    await page.getByRole('searchbox', { name: 'Search' }).fill('iphone wa')
    await asked
    await page.waitForURL(/q=iphone\+wa/)
    await page.reload()
    await expect.poll(() => page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('iphone wa')
    await page.getByRole('row').filter({ hasText: 'iPhone walk.trc' }).first().waitFor()
  })

  test('stay where they were at Back: each filter is one step, and what is written in one go is one', async () => {
    const page = await open('/overview')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'Captures', exact: true }).first().click()
    await page.getByRole('table').waitFor()
    await page.getByLabel('Status').selectOption('completed')
    await page.waitForURL(/status=completed/)
    await page.getByLabel('Movement', { exact: true }).focus()
    for (const part of ['cou', 'nter', 'movement']) {
      const before = page.url()
      await page.keyboard.type(part)
      await page.waitForURL((u) => u.href !== before)
    }
    await page.waitForURL(/movement=countermovement/)
    await page.getByLabel('Rows on a page').selectOption('25')
    await page.waitForURL(/limit=25/)
    await page.goBack()
    await page.waitForURL((u) => u.searchParams.get('movement') === 'countermovement' && !u.searchParams.has('limit'))
    await page.goBack()
    await page.waitForURL((u) => u.searchParams.get('status') === 'completed' && !u.searchParams.has('movement'))
    await expect.poll(() => page.getByLabel('Movement', { exact: true }).inputValue()).toBe('')
    await page.goBack()
    await page.waitForURL((u) => u.pathname === '/captures' && u.search === '')
    await expect.poll(() => page.getByLabel('Status').inputValue()).toBe('')
    await page.goForward()
    await page.waitForURL(/status=completed/)
    await page.goBack()
    await page.goBack()
    await page.waitForURL(/overview/)
    // The other screens with something to choose do as this one does.
    await page.goto(new URL('/athletes', page.url()).href)
    await page.getByLabel('Order').selectOption('created_at')
    await page.waitForURL(/sorted_by/)
    await page.getByLabel('Name or e-mail address').fill('zora')
    await page.waitForURL(/q=zora/)
    await page.goBack()
    await page.waitForURL((u) => u.searchParams.get('sorted_by') === 'created_at' && !u.searchParams.has('q'))
    await page.goto(new URL('/overview', page.url()).href)
    await page.getByRole('button', { name: '90 days' }).click()
    await page.waitForURL(/days=90/)
    await page.goBack()
    await page.waitForURL((u) => u.pathname === '/overview' && u.search === '')
    await page.goto(new URL('/exports', page.url()).href)
    await page.getByLabel('Rows', { exact: true }).selectOption('first')
    await page.waitForURL(/rows=first/)
    await page.getByLabel('Activity').fill('jump')
    await page.waitForURL(/activity=jump/)
    await page.goBack()
    await page.waitForURL((u) => u.searchParams.get('rows') === 'first' && !u.searchParams.has('activity'))
    await expect.poll(() => page.getByLabel('Activity').inputValue()).toBe('')
  })

  test('are called as their files are, letter for letter', async () => {
    const id = await recorded('iPhone walk 2.trc', walkTRC(), {} as Record<string, string>)
    const page = await open(`/captures/${id}`, { still: true })
    const title = page.getByRole('heading', { level: 1 })
    await expect.poll(() => title.innerText()).toContain('iPhone walk 2.trc')
    await expect.poll(() => title.evaluate((e) => getComputedStyle(e, '::first-letter').textTransform)).toBe('none')
  })

  test('say Uploaded where nobody has said when they were recorded', async () => {
    const page = await open(`/captures/${capture}`, { still: true })
    await page.locator('.summary').getByText(/^uploaded /).waitFor()
    await page.locator('.facts').getByText('Uploaded', { exact: true }).waitFor()
    await page.goto(new URL('/captures', page.url()).href)
    await page.getByRole('row').filter({ hasText: 'iPhone walk.trc' }).first().getByText(/uploaded/).waitFor()
    expect((await call('PATCH', `/captures/${capture}`, { capture_time: '2024-03-04T05:06:07Z' })).status).toBe(200)
    await page.goto(new URL(`/captures/${capture}`, page.url()).href)
    await page.locator('.facts').getByText('Recorded', { exact: true }).waitFor()
    await page.locator('.summary').getByText(/^4 Mar 2024/).waitFor()
  })

  test('are linked by Enter, also when it is pressed before the names have come', async () => {
    const id = await recorded('enter.trc', walkTRC())
    const page = await open(`/captures/${id}`, { still: true })
    await page.getByRole('button', { name: 'Link an athlete' }).click()
    const dialog = page.getByRole('dialog')
    // The field has the focus: what is typed goes there, and Enter does not press what closes the dialog.
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
    await page.keyboard.type('Findable')
    await page.keyboard.press('Enter')
    await expect.poll(() => dialog.getByRole('list', { name: 'Linked' }).getByRole('listitem').allTextContents()).toEqual([expect.stringContaining('Zora Findable')])
    await page.keyboard.type('Nobody who is there')
    await page.keyboard.press('Enter')
    await dialog.getByText('Nobody of this name').waitFor()
    await page.keyboard.press('Enter')
    expect(await dialog.count()).toBe(1)
    expect(((await (await call('GET', `/captures/${id}`)).json()) as { athlete_id: string }).athlete_id).toBe(athlete)
  })
})

describe('an athlete', () => {
  useBrowser()

  test('is told over time by all captures, in text of one size', async () => {
    const { athlete } = (await (await call('POST', '/athletes', { first_name: 'Many', last_name: 'Captures' })).json()) as { athlete: { id: string } }
    const none = (await (await call('GET', '/captures?limit=1')).json()) as { captures: object[] }
    // 1,203 captures, as the server would page them.
    const page = await open(`/athletes/${athlete.id}`, { before: (page) => page.route(list, async (route) => {
      const q = new URL(route.request().url()).searchParams
      const [limit, offset] = [Number(q.get('limit')), Number(q.get('offset') ?? 0)]
      const captures = Array.from({ length: Math.max(0, Math.min(limit, 1203 - offset)) }, (_, i) => ({
        ...none.captures[0], session_id: `s${offset + i}`, athlete_id: athlete.id, activity: 'jump', movement: `kind ${(offset + i) % 3}`, capture_time: new Date(Date.UTC(2026, 0, 1) - (offset + i) * 3_600_000).toISOString(),
      }))
      await route.fulfill({ json: { captures, total_count: 1203, offset, limit, next_offset: offset + captures.length < 1203 ? offset + captures.length : null } })
    }) })
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => page.locator('.over-time circle').count()).toBe(1203)
      await page.getByText('All 1,203 captures with a time').waitFor()
      // A pixel of the picture is one of the page: its text is as large as it says.
      await expect.poll(() => page.locator('.over-time svg').evaluate((e) => { const box = e.getBoundingClientRect(); return Math.abs(box.width - Number(e.getAttribute('width'))) < 1 && box.right <= innerWidth })).toBe(true)
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
      await accessible(page)
      await picture(page, `athlete-time-${width}`)
    }
  })

  test('is measured in the units of the person, and the form says how it rounds', async () => {
    const page = await open('/athletes', { token: served.busy })
    await page.getByRole('button', { name: 'Add an athlete' }).click()
    await page.getByLabel('First name (needed)').fill('Metric')
    await page.getByLabel('Height in centimetres').fill('181,5')
    await page.getByText('Kept to the nearest whole inch: 180 cm (71 in).').waitFor()
    await page.getByLabel('Weight in kilograms').fill('68')
    await page.getByText('Kept to the nearest whole pound: 68 kg (150 lb).').waitFor()
    await accessible(page)
    await picture(page, 'athlete-units')
    const sent = page.waitForRequest((r) => r.method() === 'POST' && r.url().endsWith('/athletes'))
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    expect((await sent).postDataJSON()).toMatchObject({ height: 71, weight: 150 })
    await page.getByText('180 cm (71 in)').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Units').selectOption('imperial')
    await expect.poll(() => page.getByLabel('Height in inches').inputValue()).toBe('71')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('71 in (180 cm)').waitFor() // and it is remembered
    await page.reload()
    await page.getByText('150 lb (68 kg)').waitFor()
  })
})

describe('an upload', () => {
  useBrowser()

  const tray = '.tray'
  const choose = async (page: Awaited<ReturnType<typeof open>>, name: string, buffer: Buffer) => {
    await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
    await page.getByLabel('Files to upload').setInputFiles([{ name, mimeType: 'text/plain', buffer }])
  }

  test('of a truncated file is done with warnings, and leads to them', async () => {
    const page = await open('/captures', { token: served.busy })
    // It announces 20 frames and ends after 12.
    await choose(page, 'short.trc', Buffer.from(`${trc().toString().split('\n').slice(0, 18).join('\n')}\n`))
    await page.getByRole('button', { name: 'Upload 1 file' }).click()
    await page.locator(tray).getByText(/^Done, \d+ warnings?$/).waitFor()
    await page.locator(tray).getByText(/1 with warnings/).waitFor()
    await accessible(page)
    await picture(page, 'upload-odd')
    await page.locator(tray).getByRole('link', { name: 'See what is odd about short.trc' }).click()
    await page.locator('.warnings').waitFor()
  })

  test('has the date of the recording that somebody gives', async () => {
    const page = await open('/captures', { token: served.busy })
    await choose(page, 'dated.trc', trc())
    await page.getByRole('dialog').getByLabel('Recorded').fill('2024-02-29T09:30')
    await accessible(page)
    await picture(page, 'upload-dated')
    const sent = page.waitForRequest((r) => r.method() === 'POST' && r.url().endsWith('/captures'))
    await page.getByRole('button', { name: 'Upload 1 file' }).click()
    expect((await sent).postDataJSON()).toMatchObject({ capture_time: '2024-02-29T09:30:00.000Z' })
    await page.locator(tray).getByText('Done', { exact: true }).waitFor()
    await page.locator(tray).getByRole('link', { name: 'dated.trc' }).click()
    await page.locator('.facts').getByText('29 Feb 2024, 09:30').waitFor()
  })
})

describe('an export', () => {
  useBrowser()

  test('groups what it left out by reason, with names, and gives all of it', async () => {
    const job = (await (await call('POST', '/data/export', { movement: 'nothing is called so' })).json()) as { jobId: string }
    const page = await open('/exports')
    await page.getByRole('heading', { name: 'Exports' }).waitFor()
    const all = Array.from({ length: 137 }, (_, i) => ({ captureId: `c${i}`, reason: i % 7 ? 'The file ends early.' : 'It has no "frames".', ...(i % 2 ? { fileName: `walk ${i}.c3d` } : {}) }))
    const reasons = [{ reason: 'The file ends early.', count: 117 }, { reason: 'It has no "frames".', count: 20 }]
    await edited<{ skipped?: object[]; skippedCount?: number; skippedReasons?: object[] }>(page, new RegExp(`job/${job.jobId}(\\?|$)`), (body) => { Object.assign(body, { skipped: all.slice(0, 100), skippedCount: 137, skippedReasons: reasons }) })
    await page.route(/skipped=10000/, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), skipped: all, skippedCount: 137, skippedReasons: reasons } })
    })
    await page.goto(new URL(`/exports/${job.jobId}`, page.url()).href)
    await page.getByText('137 captures were left out. The first 100 of them are named here.').waitFor()
    await expect.poll(() => page.locator('.left-out h3').allInnerTexts()).toEqual([expect.stringMatching(/ends early\.\s+117 captures/), expect.stringMatching(/frames.*20 captures/)])
    await expect.poll(() => page.locator('.left-out').first().getByRole('listitem').count()).toBe(10)
    await page.getByRole('link', { name: 'walk 1.c3d', exact: true }).waitFor()
    await accessible(page)
    await picture(page, 'export-left-out')
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download the list as CSV' }).click()])
    const stream = await file.createReadStream()
    let text = ''
    for await (const part of stream) text += String(part)
    expect(text.split('\r\n')).toHaveLength(139)
    expect(text).toContain('c0,,"It has no ""frames""."\r\n')
    await page.getByText('137 captures were left out.', { exact: true }).waitFor() // the list has all now
    await page.locator('.left-out').first().getByRole('button', { name: /^Show/ }).click()
    await expect.poll(() => page.locator('.left-out').first().getByRole('listitem').count()).toBe(117)
  })
})
