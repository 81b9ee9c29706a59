// Files that are sent once more: the server has them, whoever has sent them.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { accessible, lab, open, picture, served, trc, useBrowser } from './browser'
import { tray } from './uploads'

const headers = { Authorization: `Bearer ${served.busy}`, 'Content-Type': 'application/json' }
const folders: string[] = []
let made = 0

/** motionOf is bytes that no other test has sent. */
const motionOf = () => trc(30 + ++made).toString().replace('Hip', `Hip${process.pid}x${made}`)

/** laid makes a folder with these files. */
function laid(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'kinebase-again-'))
  folders.push(folder)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** named is how many captures have a file of this name. */
async function named(name: string): Promise<number> {
  const answer = await fetch(`${served.url}/v1/captures?q=${encodeURIComponent(name)}`, { headers })
  return ((await answer.json()) as { total_count: number }).total_count
}

/** sent chooses a folder and has it go. */
async function sent(page: Page, folder: string): Promise<void> {
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  await page.getByLabel('A folder to upload').setInputFiles(folder)
  await page.getByRole('button', { name: /^Upload \d+ files?$/ }).click()
}

const chips = (page: Page, text: string) => tray(page).getByText(text, { exact: true })

async function closed(page: Page): Promise<void> {
  await tray(page).getByRole('button', { name: 'Close the list of uploads' }).click()
  await tray(page).waitFor({ state: 'detached' })
}

/** groupOf is the id that `kinebase import --to` gives a file. */
function groupOf(path: string, text: string): string {
  const content = createHash('sha256').update(text).digest()
  const sum = createHash('sha256').update(`kinebase file 1\n\n${path}\0`).update(content).digest().subarray(0, 16)
  sum[6] = (sum[6]! & 0x0f) | 0x80
  sum[8] = (sum[8]! & 0x3f) | 0x80
  return sum.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

describe('files that are sent once more', () => {
  useBrowser()
  afterEach(() => folders.splice(0).forEach((f) => rmSync(f, { recursive: true, force: true })))

  for (const host of [undefined, lab])
    test(`are there already, and are made twice only by somebody who wants it${host ? ', without https too' : ''}`, async () => {
      const [one, two] = [`again${++made}.trc`, `again${++made}.trc`]
      const files = { [one]: motionOf(), [`monday/${two}`]: motionOf() }
      const page = await open('/captures', host ? { host } : { token: served.busy })
      if (host) {
        await page.getByLabel('Token').fill(served.busy)
        await page.getByRole('button', { name: 'Sign in' }).click()
      }
      await sent(page, laid(files))
      await chips(page, 'Done').nth(1).waitFor()
      await closed(page)
      // The same in a folder of another name, on another day.
      await sent(page, laid(files))
      await chips(page, 'Already there').nth(1).waitFor()
      await tray(page).getByRole('heading', { name: 'Nothing new was sent' }).waitFor()
      await tray(page).getByText('2 already there', { exact: true }).waitFor()
      expect([await named(one), await named(two)]).toEqual([1, 1])
      await accessible(page)
      await picture(page, `upload-again${host ? '-lab' : ''}`)
      await tray(page).getByRole('button', { name: 'Send again what is there' }).click()
      await chips(page, 'Done').nth(1).waitFor()
      expect([await named(one), await named(two)]).toEqual([2, 2])
      await closed(page)
      // What was changed, or lies elsewhere, is another file.
      await sent(page, laid({ [one]: motionOf(), [two]: files[`monday/${two}`]!, [`monday/${two}`]: files[`monday/${two}`]! }))
      await tray(page).getByText('2 of 2 sent, 1 already there').waitFor()
      await chips(page, 'Done').nth(1).waitFor()
    })

  test('are found where the import has sent them, and where they could not be read', async () => {
    const name = `imported${++made}.c3d`
    const text = `no motion ${process.pid} ${made}`
    const reserved = await fetch(`${served.url}/v1/captures`, { method: 'POST', headers, body: JSON.stringify({ file_name: name, session_group_id: groupOf(`deep/${name}`, text) }) })
    const { session_id } = (await reserved.json()) as { session_id: string }
    const page = await open('/captures', { token: served.busy })
    // It was begun, and its file has not come: it goes.
    await sent(page, laid({ [`deep/${name}`]: text }))
    await chips(page, 'Cannot be read').waitFor()
    const link = tray(page).getByRole('link', { name })
    expect(await link.getAttribute('href')).toBe(`/captures/${session_id.replace(/_1$/, '_2')}`)
    await closed(page)
    await sent(page, laid({ [`deep/${name}`]: text }))
    await chips(page, 'Already there').waitFor()
    await tray(page).getByText('It could not be read.').waitFor()
    expect(await link.getAttribute('href')).toBe(`/captures/${session_id.replace(/_1$/, '_2')}`)
  })

  test('that were begun for somebody else and have not come are sent for whom they are now', async () => {
    const name = `begun${++made}.trc`
    const text = motionOf()
    const asked = (path: string, body: object) => fetch(`${served.url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { athlete } = (await (await asked('/athletes', { first_name: 'Begun', last_name: 'Earlier' })).json()) as { athlete: { id: string } }
    const begun = await asked('/captures', { file_name: name, session_group_id: groupOf(name, text), athlete_ids: [athlete.id] })
    expect(begun.status).toBe(200)
    const page = await open('/captures', { token: served.busy })
    await sent(page, laid({ [name]: text }))
    await chips(page, 'Done').waitFor()
    expect(await named(name)).toBe(1)
  })

  test('twice at once go once, and the second one goes when the first one fails', async () => {
    const [one, text] = [`twice${++made}.trc`, motionOf()]
    const [first, second] = [laid({ [one]: text }), laid({ [one]: text })]
    const page = await open('/captures', { token: served.busy })
    let fails = true
    await page.route(/\/captures\/[^/]+\/file\?/, (route) => {
      if (!fails) return route.continue()
      fails = false
      return route.fulfill({ status: 400, contentType: 'application/json', body: JSON.stringify({ error: 'BadRequest', message: 'not today' }) })
    })
    await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
    const folder = page.getByLabel('A folder to upload')
    await folder.setInputFiles(first)
    await folder.setInputFiles(second)
    await page.getByRole('button', { name: 'Upload 2 files' }).click()
    await chips(page, 'Not sent').waitFor()
    await chips(page, 'Done').waitFor()
    expect(await named(one)).toBeLessThanOrEqual(2) // the one that failed awaits its file
    await closed(page)
    await sent(page, first)
    await chips(page, 'Already there').waitFor()
  })

  test('are sent while their captures wait to be deleted', async () => {
    const [one, text] = [`leaving${++made}.trc`, motionOf()]
    const page = await open('/captures', { token: served.busy })
    await sent(page, laid({ [one]: text }))
    await chips(page, 'Done').waitFor()
    await tray(page).getByRole('link', { name: one }).click()
    await closed(page)
    await page.getByRole('button', { name: 'Delete' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await sent(page, laid({ [one]: text }))
    await chips(page, 'Done').waitFor()
    expect(await named(one)).toBe(2)
  })

  test('of one path, size and time are two where their bytes differ, and one where they do not', async () => {
    const page = await open('/captures', { token: served.busy })
    await page.getByRole('button', { name: 'Upload', exact: true }).first().waitFor()
    await page.evaluate(([one, other]) => {
      for (const text of [one, other, one]) {
        const t = new DataTransfer()
        t.items.add(new File([text!], 'alike.trc', { lastModified: 1_700_000_000_000 }))
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: t, bubbles: true, cancelable: true }))
      }
    }, (() => { const text = motionOf(); return [text, text.replace('1000', '1001')] })())
    await page.getByRole('button', { name: 'Upload 2 files' }).click()
    await chips(page, 'Done').nth(1).waitFor()
    expect(await named('alike.trc')).toBe(2)
  })
})
