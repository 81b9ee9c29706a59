// Doing the same with many rows of the list: choosing them over pages, and what failed by reason.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { accessible, open, picture, served, useBrowser } from './browser'
import { call, reserve } from './motion'
import { between } from '../src/screens/captures/choice'

const reserved = async (name: string, n: number) => {
  const ids: string[] = []
  for (let i = 0; i < n; i++) ids.push((await reserve(`${name} ${String(i).padStart(2, '0')}.trc`)).session_id)
  return ids
}
const told = async (id: string) => (await (await call('GET', `/captures/${id}`)).json()) as { activity: string; movement: string; athlete_id: string | null }

describe('rows of the list', () => {
  useBrowser()

  test('are chosen by a range, also backwards, and a first one of another page counts for itself alone', () => {
    const page = ['a', 'b', 'c', 'd'].map((session_id) => ({ session_id }))
    const ids = (from: string | null, to: string) => between(page, from, to).map((c) => c.session_id).join('')
    expect([ids('a', 'c'), ids('d', 'b'), ids('b', 'b'), ids(null, 'c'), ids('elsewhere', 'd')]).toEqual(['abc', 'bcd', 'b', 'c', 'd'])
  })

  test('are labelled, all that match over several pages, and one that is gone by then stays chosen with its reason', async () => {
    const ids = await reserved('many', 30)
    const page = await open('/captures?q=many&limit=25')
    await page.getByText('30 captures with these filters').waitFor()
    await page.getByRole('checkbox', { name: 'Choose all rows of this page' }).check()
    const bar = page.getByRole('region', { name: 'Chosen captures' })
    await bar.getByText('25 captures chosen').waitFor()
    await bar.getByRole('button', { name: 'Choose all 30' }).click()
    await bar.getByText('30 captures chosen').waitFor()
    expect((await call('DELETE', `/captures/${ids[3]}`)).status).toBe(200)
    await bar.getByRole('button', { name: 'Label' }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByRole('button', { name: 'Label (30 captures)' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Activity').fill('golf')
    await dialog.getByLabel('Movement').fill('swing')
    await accessible(page)
    await dialog.getByRole('button', { name: 'Label (30 captures)' }).click()
    await dialog.getByText('29 captures labelled').waitFor()
    await dialog.getByText(/1 capture failed: .* \(many 03.trc\)/).waitFor()
    await picture(page, 'bulk')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await bar.getByText('1 capture chosen').waitFor()
    for (const id of ids) if (id !== ids[3]) expect(await told(id)).toMatchObject({ activity: 'golf', movement: 'swing' })
    // The movement alone: what is left empty stays.
    await bar.getByRole('button', { name: 'Choose none' }).click()
    await page.getByRole('checkbox', { name: 'Choose many 05.trc' }).check()
    await bar.getByRole('button', { name: 'Label' }).click()
    await dialog.getByLabel('Movement').fill('putt')
    await dialog.getByRole('button', { name: 'Label (1 capture)' }).click()
    await dialog.getByText('1 capture labelled').waitFor()
    expect(await told(ids[5]!)).toMatchObject({ activity: 'golf', movement: 'putt' })
  })

  test('are linked, listed as CSV and deleted', async () => {
    const ids = await reserved('few', 4)
    const { athlete } = (await (await call('POST', '/athletes', { first_name: 'Bulka', last_name: 'Link' })).json()) as { athlete: { id: string } }
    const page = await open('/captures?q=few')
    await page.getByRole('checkbox', { name: 'Choose all rows of this page' }).check()
    await page.getByRole('checkbox', { name: 'Choose few 02.trc' }).uncheck()
    const bar = page.getByRole('region', { name: 'Chosen captures' })
    await bar.getByText('3 captures chosen').waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), bar.getByRole('button', { name: 'List as CSV' }).click()])
    const lines = readFileSync((await file.path())!, 'utf8').trim().split('\r\n')
    expect(lines.slice(1).map((l) => l.split(',')[1]).sort()).toEqual(['few 00.trc', 'few 01.trc', 'few 03.trc'])
    // What is chosen is as the list says now.
    expect((await call('PATCH', `/captures/${ids[1]}`, { activity: 'lunge', movement: 'side' })).status).toBe(200)
    await page.getByText('lunge · side').first().waitFor()
    const [again] = await Promise.all([page.waitForEvent('download'), bar.getByRole('button', { name: 'List as CSV' }).click()])
    expect(readFileSync((await again.path())!, 'utf8')).toContain('few 01.trc,,,lunge,side,')
    await bar.getByRole('button', { name: 'Link an athlete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Athlete' }).fill('Bulka')
    await dialog.getByRole('option', { name: /Bulka Link/ }).click()
    await dialog.getByRole('button', { name: 'Link an athlete (3 captures)' }).click()
    await dialog.getByText('3 captures linked').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect(await Promise.all(ids.map(async (id) => (await told(id)).athlete_id))).toEqual([athlete.id, athlete.id, null, athlete.id])
    await page.getByRole('checkbox', { name: 'Choose few 00.trc' }).check()
    await page.getByRole('checkbox', { name: 'Choose few 01.trc' }).check()
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.clock.install()
    await dialog.getByRole('button', { name: 'Delete 2 captures' }).click()
    await page.getByRole('region', { name: 'Deletions' }).getByText('2 captures will be deleted').waitFor()
    await expect.poll(() => bar.count()).toBe(0) // they are not chosen any more
    await page.clock.fastForward(30_000)
    await page.getByText('2 captures with these filters').waitFor()
    expect(await Promise.all(ids.map(async (id) => (await call('GET', `/captures/${id}`)).status))).toEqual([404, 404, 200, 200])
  })

  test('are exported, those alone, and one that is not completed is named on the page of the export', async () => {
    const { captures } = (await (await call('GET', '/captures?activity=jump&movement=countermovement&status=completed&limit=25&include=file')).json()) as { captures: { session_id: string; file_name?: string }[] }
    const chosen = captures.filter((c) => c.file_name).slice(1, 3).map((c) => c.session_id) // those that have motion
    const page = await open('/captures?activity=jump&movement=countermovement&status=completed&limit=25')
    const bar = page.getByRole('region', { name: 'Chosen captures' })
    for (const id of chosen) await page.locator(`tr:has(a[href="/captures/${id}"])`).getByRole('checkbox').check()
    const [waits] = await reserved('waits', 1)
    const [gone] = await reserved('goes', 1)
    for (const name of ['waits', 'goes']) {
      await page.evaluate((to) => { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate')) }, `/captures?q=${name}`)
      await page.getByRole('checkbox', { name: `Choose ${name} 00.trc` }).check()
    }
    await bar.getByText('4 captures chosen').waitFor()
    expect((await call('DELETE', `/captures/${gone}`)).status).toBe(200)
    await bar.getByRole('button', { name: 'Export' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 of the captures are not completed.').waitFor()
    // What somebody deleted meanwhile is not left out in silence.
    await dialog.getByRole('alert').getByText(`Captures names "${gone}"`).waitFor()
    await dialog.getByRole('button', { name: 'Leave goes 00.trc out' }).click()
    await dialog.getByLabel('Rows').selectOption('event')
    await dialog.getByRole('button', { name: 'Start the export' }).click()
    await dialog.getByText('Must name an event').waitFor()
    await dialog.getByLabel('Rows').selectOption('captures')
    await expect.poll(() => dialog.locator('.estimate:not(.old) dd').allTextContents()).toEqual(['2', '2'])
    await accessible(page)
    await picture(page, 'bulk-export')
    await dialog.getByRole('button', { name: 'Start the export' }).click()
    await page.waitForURL(/\/exports\/[^?]+\?chosen=3&rows=captures&asked=1$/)
    await page.getByText('3 chosen captures, a row for each capture').waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
    const left = page.locator('.left-out')
    await left.getByText('only completed captures are exported').waitFor()
    expect(await left.getByRole('link').allTextContents()).toEqual(['waits 00.trc'])
    expect(await left.getByRole('link').getAttribute('href')).toBe(`/captures/${waits}`)
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    const { results } = (await (await call('GET', `/data/export/job/${id}/results`)).json()) as { results: { sessionid: string }[] }
    expect(results.map((r) => r.sessionid).sort()).toEqual([...chosen].sort())
    // Its captures stand in no address, so that it cannot be asked for again from here, and never for all.
    expect(await page.getByRole('link', { name: 'Ask for it again' }).count()).toBe(0)
  })

  test('are opened by a click beside their links, and not by one at their box', async () => {
    const [id] = await reserved('row', 1)
    const page = await open('/captures?q=row+00')
    const row = page.getByRole('row').filter({ hasText: 'row 00.trc' })
    await row.getByText('row 00.trc').click()
    await page.waitForURL((u) => u.pathname === `/captures/${id}`)
    await page.goBack()
    await row.getByRole('checkbox').click()
    await page.getByText('1 capture chosen').waitFor()
    await row.locator('.tick').click({ position: { x: 2, y: 2 } })
    expect(new URL(page.url()).pathname).toBe('/captures')
  })

  test('are chosen by who may only look, who can compare and list them', async () => {
    const page = await open('/captures', { token: served.viewer })
    await page.getByRole('checkbox', { name: 'Choose all rows of this page' }).check()
    const bar = page.getByRole('region', { name: 'Chosen captures' })
    await bar.getByRole('button', { name: 'List as CSV' }).waitFor()
    for (const name of ['Delete', 'Label', 'Link an athlete', 'Export']) expect(await bar.getByRole('button', { name }).count(), name).toBe(0)
  })
})
