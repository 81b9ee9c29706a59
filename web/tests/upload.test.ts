import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { accessible, edited, fault, onlyWhen, open, picture, served, trc, useBrowser } from './browser'
import { choose, motion, tray } from './uploads'

const toFile = /\/captures\/[^/]+\/file\?/

/** sendAll chooses files and has them go. */
async function sendAll(page: Page, files: ReturnType<typeof motion>[]): Promise<void> {
  await choose(page, files)
  await page.getByRole('button', { name: /^Upload [\d,]+ files?$/ }).click()
}

/** gate holds calls back until it is opened. */
async function gate(page: Page, path: RegExp): Promise<{ held: () => number; open: () => Promise<void> }> {
  let held = 0
  let release: () => void = () => undefined
  const opened = new Promise<void>((done) => { release = done })
  const handler = async (route: Route) => {
    held++
    await opened
    await route.continue().catch(() => undefined) // it may have been canceled
  }
  await page.route(path, handler)
  return { held: () => held, open: async () => { release(); await page.unroute(path, handler) } }
}

const chip = (page: Page, text: string) => tray(page).getByText(text, { exact: true })

describe('files', () => {
  useBrowser()

  test('that are large go in pieces, and go on where they were after a break', async () => {
    const page = await open('/captures', { token: served.busy })
    const file = motion('long.trc', 160_000)
    expect(file.buffer.length).toBeGreaterThan(4 << 20)
    const sent: [string | undefined, number][] = []
    await page.route(/\/v1\/uploads\//, async (route) => {
      const bytes = route.request().postDataBuffer()
      if (route.request().method() !== 'PATCH' || !bytes) return route.continue()
      sent.push([route.request().headers()['upload-offset'], bytes.length])
      if (sent.length > 2) return route.continue()
      await route.fetch({ postData: bytes.subarray(0, 1_000_000) })
      await route.abort('connectionreset')
    })
    await sendAll(page, [file])
    await tray(page).getByText('Done').waitFor()
    const whole = file.buffer.length
    expect(sent).toEqual([['0', whole], ['1000000', whole - 1_000_000], ['2000000', whole - 2_000_000]])
  })

  test('are uploaded, several at once, with what they have in common', async () => {
    const page = await open('/captures', { token: served.busy })
    await choose(page, [motion('swing 1.trc'), motion('swing 2.trc', 40), motion('swing 1.trc'), { name: 'broken.c3d', mimeType: 'application/octet-stream', buffer: Buffer.from('this is no motion') }, motion('notes.docx')])
    await page.getByText('One file is left out').waitFor()
    await page.getByRole('dialog').getByLabel('Activity', { exact: true }).fill('golf')
    await page.getByRole('dialog').getByLabel('Movement', { exact: true }).fill('swing')
    await page.getByLabel('Handedness').selectOption('left')
    await accessible(page)
    await picture(page, 'upload')
    await page.getByRole('button', { name: /^Upload \d files$/ }).click()
    await chip(page, 'Cannot be read').waitFor()
    await tray(page).getByText('This is not a C3D file').waitFor()
    await tray(page).getByText('Done').nth(1).waitFor()
    await page.getByRole('table').getByText('golf · swing').nth(1).waitFor() // the list looks by itself
    await page.getByRole('table').getByText('left').first().waitFor()
    await accessible(page)
    await picture(page, 'upload-done')
    await tray(page).getByRole('link', { name: 'swing 2.trc' }).click()
    await page.waitForURL(/\/captures\/[^/]+$/)
    await tray(page).getByRole('button', { name: 'Close the list of uploads' }).click()
    await tray(page).waitFor({ state: 'detached' })
  })

  test('are linked to several athletes', async () => {
    const page = await open('/captures')
    await page.getByRole('table').waitFor()
    await choose(page, [motion('two.trc')])
    const dialog = page.getByRole('dialog')
    const picked = dialog.getByRole('list', { name: 'Athletes of all files' }).getByRole('listitem')
    for (const [n, name] of ['Athlete', 'Another athlete'].entries()) {
      await dialog.getByRole('combobox', { name, exact: true }).focus()
      await page.keyboard.type('a')
      await dialog.getByRole('option').nth(n).click() // the list is the same
      await picked.nth(n).waitFor()
    }
    await accessible(page)
    await picture(page, 'upload-athletes')
    const asked = page.waitForRequest((r) => r.method() === 'POST' && r.url().endsWith('/captures'))
    await dialog.getByRole('button', { name: 'Upload 1 file' }).click()
    expect(((await asked).postDataJSON() as { athlete_ids: string[] }).athlete_ids).toHaveLength(2)
    await tray(page).getByText('Done').waitFor()
  })

  test('that are videos are told how they were filmed', async () => {
    const page = await open('/captures', { token: served.busy })
    await choose(page, [{ name: 'serve.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no film') }])
    await page.getByLabel('Held').selectOption('portrait')
    await page.getByRole('button', { name: 'Upload 1 file' }).click()
    await chip(page, 'Cannot be read').waitFor() // it was taken, and is looked into
    await page.getByRole('button', { name: 'Close the list of uploads' }).click()
    await sendAll(page, [{ name: 'silent.mov', mimeType: 'video/quicktime', buffer: Buffer.from('no film either') }])
    await chip(page, 'Cannot be read').waitFor()
  })

  test('that are videos tell how long their processing takes, in the list of uploads and on the page of the capture', async () => {
    // The server reads the made-up video at once; the answers stand for one that takes its time.
    let [status, left] = ['processing', 47]
    const page = await open('/captures', {
      token: served.busy,
      before: async (page) => {
        await edited<{ status: string; error: string | null }>(page, /console\/v1\/captures\/[^/?]+(\?.*)?$/, (body) => {
          Object.assign(body, status === 'processing' ? { status, error: null } : {})
        })
        await edited<{ processing: object }>(page, /\/processing$/, (body) => {
          Object.assign(body.processing, { status, begun_at: '2026-05-13T12:00:00.000Z', done: 0.25, seconds_left: left })
        })
      },
    })
    await sendAll(page, [{ name: 'long.mp4', mimeType: 'video/mp4', buffer: Buffer.from('a long film') }])
    await chip(page, 'Being read, about 50 seconds left').waitFor()
    await tray(page).getByRole('link', { name: 'long.mp4' }).click()
    await page.locator('main').getByText('about 50 seconds left').waitFor()
    expect(await page.getByRole('progressbar', { name: 'Part of the video' }).evaluate((p) => (p as HTMLProgressElement).value)).toBe(0.25)
    await accessible(page)
    await picture(page, 'capture-processing')
    left = 150
    await page.locator('main').getByText('about 3 minutes left').waitFor()
    status = 'settled'
    await page.getByText('The file could not be read').waitFor()
    expect(await page.getByRole('progressbar', { name: 'Part of the video' }).count()).toBe(0)
  })

  test('that are videos of several cameras become one recording, by the file that says where the cameras were', async () => {
    const page = await open('/captures', { token: served.busy })
    const places: Record<string, unknown>[] = []
    page.on('request', (r) => {
      if (r.method() === 'POST' && r.url().endsWith('/v1/captures')) places.push(r.postDataJSON() as Record<string, unknown>)
    })
    const film = (name: string) => ({ name, mimeType: 'video/mp4', buffer: Buffer.from(`no film ${name}`) })
    const calibration = { name: 'cameras.toml', mimeType: 'application/toml', buffer: Buffer.from('[cam1]\nname = "left"\n') }
    await choose(page, [film('left.mp4'), calibration])
    await page.getByText('it belongs to two videos or more').waitFor()
    await page.getByLabel('Files to upload').setInputFiles([film('right.mp4'), film('behind.mp4')])
    await page.getByText('says where the 3 cameras were').waitFor()
    await page.getByRole('dialog').getByLabel('Activity', { exact: true }).fill('golf')
    await page.getByRole('dialog').getByLabel('Movement', { exact: true }).fill('swing')
    await accessible(page)
    await picture(page, 'upload-cameras')
    await page.getByRole('button', { name: 'Upload 3 files' }).click()
    const line = tray(page).getByRole('listitem').filter({ hasText: 'left.cameras' })
    await line.getByText('Cannot be read').waitFor() // its videos are none

    expect(places.map((p) => p.file_name)).toEqual(['left.mp4', 'right.mp4', 'behind.mp4', 'left.cameras'])
    const listed = (await (await fetch(`${served.url}/v1/captures?limit=10`, { headers: { Authorization: `Bearer ${served.busy}` } })).json()) as { captures: { session_id: string }[] }
    const group = places[1]!.session_group_id
    const ours = listed.captures.filter((c) => c.session_id.startsWith(group as string))
    expect(places.map((p) => p.session_group_id)).toEqual([undefined, group, group, group])
    expect(ours).toHaveLength(4)
    expect(places.map((p) => p.movement_attributes !== undefined)).toEqual([false, false, false, true])
    const made = ours.find((c) => c.session_id.endsWith('_4'))!
    const file = (await (await fetch(`${served.url}/v1/captures/${made.session_id}/file`, { headers: { Authorization: `Bearer ${served.busy}` } })).json()) as { videos: { session_id: string }[] }
    // The second and the third are reserved at the same time.
    expect({ ...file, videos: file.videos.map((v) => v.session_id).toSorted() }).toEqual({
      videos: ['_1', '_2', '_3'].map((n) => `${group as string}${n}`),
      calibration: { name: 'cameras.toml', text: '[cam1]\nname = "left"\n' },
    })
  })

  test('that belong to cameras one of which was not sent leave the others as they are', async () => {
    const page = await open('/captures', { token: served.busy })
    const film = (name: string) => ({ name, mimeType: 'video/mp4', buffer: Buffer.from(`no film ${name}`) })
    await page.route(/console\/v1\/captures$/, (route) => ((route.request().postDataJSON() as { file_name?: string } | null)?.file_name === 'right.mp4'
      ? route.fulfill({ status: 400, json: { error: 'BadRequest', message: 'Refused for the test.' } }) : route.continue()))
    await choose(page, [film('left.mp4'), film('right.mp4'), { name: 'a.toml', mimeType: 'application/toml', buffer: Buffer.from('x') }])
    await page.getByRole('button', { name: 'Upload 2 files' }).click()
    await tray(page).getByText('A video of these cameras was not sent.').waitFor()
    await tray(page).getByText('Refused for the test.').waitFor()
    await tray(page).getByRole('listitem').filter({ hasText: 'left.mp4' }).getByText('Cannot be read').waitFor()
  })

  test('go on when another screen is opened', async () => {
    const page = await open('/captures', { token: served.busy })
    const { open: go, held } = await gate(page, toFile)
    await sendAll(page, [1, 2, 3, 4, 5].map((n) => motion(`walk ${n}.trc`)))
    await tray(page).getByText('Waiting').nth(1).waitFor() // three at a time
    await expect.poll(held).toBe(3)
    await page.getByRole('link', { name: 'Athletes' }).click()
    await page.getByRole('heading', { name: 'Athletes', exact: true }).waitFor()
    await tray(page).getByText('0 of 5 sent').waitFor()
    await accessible(page)
    await picture(page, 'uploads-going')
    await go()
    await tray(page).getByText('5 of 5 sent').waitFor()
    await tray(page).getByText('Done').nth(4).waitFor()
  })

  test('that are canceled leave nothing behind', async () => {
    const page = await open('/captures', { token: served.busy })
    const { open: go } = await gate(page, toFile)
    await sendAll(page, [motion('mistake.trc')])
    const awaiting = page.getByRole('table').getByText('Awaiting upload')
    await awaiting.first().waitFor()
    const deleted = page.waitForResponse((r) => r.request().method() === 'DELETE' && /\/captures\//.test(r.url()))
    await tray(page).getByRole('button', { name: 'Cancel mistake.trc' }).click()
    expect((await deleted).status()).toBe(200)
    await tray(page).getByText('Canceled').waitFor()
    await awaiting.first().waitFor({ state: 'detached' })
    await go()
    await tray(page).getByRole('button', { name: 'Send again: mistake.trc' }).click()
    await tray(page).getByText('Done').waitFor()
  })

  test('are sent again by themselves when the connection was lost', async () => {
    const page = await open('/captures', { token: served.busy })
    let lost = 0
    await page.route(toFile, (route) => (lost++ === 0 ? route.abort() : route.continue()))
    await sendAll(page, [motion('again.trc', 30)])
    await tray(page).getByText('Done').waitFor()
    expect(lost).toBe(2)
  })

  test('that came although the answer was lost are not sent for nothing', async () => {
    const page = await open('/captures', { token: served.busy })
    let sent = 0
    await page.route(toFile, async (route) => {
      if (sent++ > 0) return route.continue()
      expect((await route.fetch()).status()).toBe(204)
      return route.abort()
    })
    await sendAll(page, [motion('once.trc', 30)])
    await tray(page).getByText('Done').waitFor()
    expect(sent).toBe(2)
  })

  for (const [status, why] of [[429, 'Too much at once.'], [503, 'The disk is full.']] as const) {
    test(`wait when the server answers with ${status}, and say why`, async () => {
      const page = await open('/captures', { token: served.busy })
      const mend = await fault(page, /console\/v1\/captures$/, status, why, { 'Retry-After': '2' })
      await sendAll(page, [motion('patient.trc')])
      await tray(page).getByText('Trying again').waitFor()
      await tray(page).getByText(why).waitFor()
      await accessible(page)
      await mend()
      await tray(page).getByText('Done').waitFor()
    })
  }

  test('for which the organization has no room say so, and are not sent again by themselves', async () => {
    const page = await open('/captures', { token: served.busy })
    const why = 'The organization\'s files take 900 bytes of the 1024 that they may take, so that no file of more than 124 bytes fits. Delete captures to make room.'
    let sent = 0
    page.on('request', (r) => { if (toFile.test(r.url())) sent++ })
    const mend = await fault(page, toFile, 409, why)
    await sendAll(page, [motion('large.trc')])
    await tray(page).getByText(why).waitFor()
    await accessible(page)
    expect(sent).toBe(1)
    await mend()
    await tray(page).getByRole('button', { name: /again/i }).first().click()
    await chip(page, 'Done').waitFor()
  })

  test('that are refused say why, and are sent again by hand', async () => {
    const page = await open('/captures', { token: served.busy })
    const mend = await fault(page, toFile, 403, 'This token may not write captures.')
    await sendAll(page, [motion('one.trc'), motion('two.trc')])
    await chip(page, 'Not sent').nth(1).waitFor()
    await tray(page).getByText('This token may not write captures.').first().waitFor()
    await accessible(page)
    await picture(page, 'upload-refused')
    await mend()
    await tray(page).getByRole('button', { name: 'Send all failed again' }).click()
    await tray(page).getByText('Done').nth(1).waitFor()
  })

  test('that cannot be motion, or are too large, are left out before anything is sent', async () => {
    const page = await open('/sign-in', { token: '' })
    await edited<{ limits: object }>(page, /console\/session$/, (body) => {
      body.limits = { max_upload_bytes: 1000 }
    })
    await page.getByLabel('Token').fill(served.busy)
    await page.keyboard.press('Enter')
    await choose(page, [motion('notes.txt'), motion('Kinebase.csv'), { ...motion('empty.c3d'), buffer: Buffer.alloc(0) }, motion('huge.trc', 400)])
    await page.getByText('4 files are left out').waitFor()
    for (const why of ['not a kind of file', 'in small letters', 'empty', 'larger than this server takes']) await page.getByRole('listitem').filter({ hasText: why }).first().waitFor()
    await expect.poll(() => page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).isDisabled()).toBe(true)
    await accessible(page)
    await picture(page, 'upload-left')
  })

  test('wait for who signs in again after the session has ended', async () => {
    const page = await open('/captures', { token: served.busy })
    await page.getByRole('heading', { name: 'Captures' }).waitFor()
    const { open: go, held } = await gate(page, toFile)
    await sendAll(page, [motion('late.trc')])
    await expect.poll(held).toBe(1)
    await page.context().clearCookies()
    await go()
    await page.getByLabel('Token').fill(served.busy)
    await page.keyboard.press('Enter')
    await chip(page, 'Not sent').waitFor()
    await tray(page).getByRole('button', { name: 'Send again: late.trc' }).click()
    await tray(page).getByText('Done').waitFor()
  })

  test('of another organization are forgotten', async () => {
    const page = await open('/captures', { token: served.busy })
    const mend = await fault(page, /console\/v1\/captures$/, 403, 'Not now.')
    await sendAll(page, [motion('secret.trc')])
    await tray(page).getByText('Not now.').waitFor()
    await mend()
    await onlyWhen(page, /console\/v1\/captures\?/, 'status=error')
    await page.context().clearCookies()
    await page.getByLabel('Status').selectOption('error')
    await page.getByLabel('Token').fill(served.token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Captures' }).waitFor()
    await expect.poll(() => tray(page).count()).toBe(0)
  })

  test('are dropped on any screen, and come from folders', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kinebase-folder-'))
    try {
      mkdirSync(join(folder, 'monday'))
      writeFileSync(join(folder, 'monday', 'a.trc'), trc())
      writeFileSync(join(folder, 'b.trc'), trc())
      writeFileSync(join(folder, 'readme.txt'), 'nothing')
      const page = await open('/athletes', { token: served.busy })
      await page.getByRole('heading', { name: 'Athletes', exact: true }).waitFor()
      const transfer = await page.evaluateHandle((text) => {
        const t = new DataTransfer()
        t.items.add(new File([text], 'dropped.trc'))
        return t
      }, trc().toString())
      await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer })
      await page.getByText('Drop files or folders to upload them').waitFor()
      await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
      await page.getByRole('dialog').getByText('dropped.trc').first().waitFor()
      await page.getByLabel('A folder to upload').setInputFiles(folder)
      await page.getByText('readme.txt').waitFor()
      await page.getByRole('button', { name: 'Upload 3 files' }).click()
      await tray(page).getByText('Done').nth(2).waitFor()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('are sent from a page without https too', async () => {
    // What browsers leave out where the connection is not secure.
    const page = await open('/captures', { token: served.busy, before: (page) => page.addInitScript(() => { delete (Crypto.prototype as { randomUUID?: unknown }).randomUUID }) })
    await sendAll(page, [motion('plain.trc')])
    await tray(page).getByText('Done').waitFor()
  })

  test('may be hundreds, of which those that need somebody are shown first', async () => {
    const page = await open('/captures', { token: served.busy })
    const folder = mkdtempSync(join(tmpdir(), 'kinebase-many-'))
    try {
      for (let n = 0; n < 400; n++) writeFileSync(join(folder, `trial ${n}.trc`), trc(2))
      await fault(page, /console\/v1\/captures$/, 403, 'Not now.')
      await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
      await page.getByLabel('A folder to upload').setInputFiles(folder)
      await page.getByText('1–20 of 400').waitFor()
      expect(await page.getByRole('dialog').getByRole('combobox').count()).toBeLessThan(70) // fields of a page, not of all
      await page.getByRole('button', { name: 'Upload 400 files' }).click()
      await tray(page).getByText('400 of 400 files not sent').waitFor()
      await expect.poll(() => tray(page).getByRole('listitem').count()).toBe(101)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
