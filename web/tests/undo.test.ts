// Deletions that can be undone for 30 seconds. The clock of the page moves when a test moves it.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { accessible, fault, open, picture, served, useBrowser } from './browser'
import { call, reserve } from './motion'

const reserved = async (name: string, n: number) => {
  const ids: string[] = []
  for (let i = 0; i < n; i++) ids.push((await reserve(`${name} ${i}.trc`)).session_id)
  return ids
}
const there = async (ids: string[]) => (await Promise.all(ids.map(async (id) => (await call('GET', `/captures/${id}`)).status)))
/** deletes counts the requests to delete something. */
const deletes = (page: Page) => {
  const asked: string[] = []
  page.on('request', (r) => { if (r.method() === 'DELETE') asked.push(new URL(r.url()).pathname) })
  return asked
}
/** stopped opens a page whose clock stands. */
const stopped = async (path: string, token = served.token) => {
  const page = await open(path, { token })
  await page.getByRole('table').waitFor()
  await page.clock.install()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  return page
}
/** sees waits for something that the page draws: so it needs some of its time, a few milliseconds each look. */
const sees = (page: Page, what: ReturnType<Page['getByText']>, n = 1) =>
  expect.poll(async () => { await page.clock.runFor(5); return what.count() }).toBe(n)
/** look does what needs a page that lives: its time goes on a little meanwhile, far slower than ours. */
const look = async (page: Page, act: Promise<unknown>) => {
  let done = false
  void act.finally(() => { done = true }).catch(() => undefined)
  await expect.poll(async () => { await page.clock.runFor(16); return done }, { interval: 100, timeout: 120_000 }).toBe(true)
  await act
}
const bar = (page: Page) => page.getByRole('region', { name: 'Deletions' })
const removeRows = async (page: Page, names: string[]) => {
  for (const name of names) await page.getByRole('checkbox', { name: `Choose ${name}` }).click()
  await sees(page, page.getByText(`${names.length} captures chosen`).or(page.getByText('1 capture chosen')))
  await page.getByRole('region', { name: 'Chosen captures' }).getByRole('button', { name: 'Delete' }).click()
  await sees(page, page.getByRole('dialog'))
  await page.getByRole('dialog').getByRole('button', { name: /^Delete \d/ }).click()
  await sees(page, page.getByRole('dialog'), 0)
}

describe('a deletion', () => {
  useBrowser()

  test('is sent when its time is over and not before, and is undone until then, each by itself', async () => {
    const ids = await reserved('undo', 4)
    const page = await stopped('/captures?q=undo')
    const asked = deletes(page)
    await removeRows(page, ['undo 0.trc', 'undo 1.trc'])
    await sees(page, page.getByRole('row').getByText('Will be deleted'), 2)
    await page.clock.runFor(20_000)
    await removeRows(page, ['undo 2.trc'])
    await sees(page, bar(page).getByRole('button'), 2)
    await bar(page).getByRole('button', { name: 'Undo the deletion of 1 capture', exact: true }).click()
    await sees(page, bar(page).getByRole('button'), 1)
    await page.clock.runFor(7_000) // 27 s and what looking took
    expect(asked).toEqual([])
    expect(await there(ids)).toEqual([200, 200, 200, 200])
    await page.clock.runFor(4_000)
    await sees(page, page.getByText('2 captures deleted.'))
    expect(asked.sort()).toEqual(ids.slice(0, 2).map((id) => `/console/v1/captures/${id}`).sort())
    expect(await there(ids)).toEqual([404, 404, 200, 200])
    await sees(page, page.getByText('2 captures with these filters')) // the list has looked again
    await sees(page, bar(page), 0)
    await page.clock.runFor(60_000)
    expect(asked).toHaveLength(2)
  })

  test('goes on behind other screens, is undone by keyboard, and is told on the page of the capture', async () => {
    const [first, second] = await reserved('keys', 2)
    const page = await stopped('/captures?q=keys')
    const asked = deletes(page)
    await removeRows(page, ['keys 0.trc', 'keys 1.trc'])
    await page.getByRole('row').filter({ hasText: 'keys 0.trc' }).locator('a.strong').click()
    await sees(page, page.getByText('This and others, 2 captures, will be deleted.'))
    await page.getByRole('link', { name: 'Athletes', exact: true }).click()
    await sees(page, page.getByLabel('Name or e-mail address'))
    await page.getByLabel('Name or e-mail address').focus()
    await page.keyboard.press('Control+z') // it is the field's there
    await sees(page, bar(page))
    await page.locator('#content').focus()
    await page.keyboard.press('Control+z')
    await sees(page, bar(page), 0)
    await page.clock.runFor(60_000)
    expect(asked).toEqual([])
    expect(await there([first!, second!])).toEqual([200, 200])
  })

  test('is undone by keyboard from a checkbox of the list, in which nobody writes', async () => {
    const [first] = await reserved('box', 2)
    const page = await stopped('/captures?q=box')
    const asked = deletes(page)
    await removeRows(page, ['box 0.trc'])
    await sees(page, bar(page))
    await page.getByRole('checkbox', { name: 'Choose box 1.trc' }).click()
    await page.clock.runFor(200) // what is drawn listens from its next frame on
    await page.keyboard.press('Control+z')
    await sees(page, bar(page), 0)
    await page.clock.runFor(60_000)
    expect(asked).toEqual([])
    expect(await there([first!])).toEqual([200])
  })

  test('that the server refuses says why, and is sent again when somebody wants it', async () => {
    const ids = await reserved('refused', 2)
    const page = await stopped('/captures?q=refused')
    await removeRows(page, ['refused 0.trc', 'refused 1.trc'])
    const mend = await fault(page, new RegExp(`captures/${ids[0]}$`), 500, 'The disk is on fire.')
    await page.clock.runFor(31_000)
    await sees(page, bar(page).getByText('1 capture not deleted: The disk is on fire. (refused 0.trc)'))
    expect(await there(ids)).toEqual([200, 404])
    await look(page, accessible(page))
    await look(page, picture(page, 'undo-failed'))
    await sees(page, page.getByRole('row').getByText('Will be deleted'), 0)
    await mend()
    await bar(page).getByRole('button', { name: 'Try again' }).click()
    await sees(page, bar(page), 0)
    expect(await there(ids)).toEqual([404, 404])
  })

  test('of what is changed while it waits is not made until somebody wants it all the same', async () => {
    const ids = await reserved('altered', 2)
    const page = await stopped('/captures?q=altered')
    const read = Promise.all(ids.map((id) => page.waitForResponse((r) => r.request().method() === 'HEAD' && r.url().endsWith(`/captures/${id}`))))
    await removeRows(page, ['altered 0.trc', 'altered 1.trc'])
    await read
    expect((await call('PATCH', `/captures/${ids[0]}`, { activity: 'golf', movement: 'swing' })).status).toBe(200)
    await page.clock.runFor(31_000)
    await sees(page, bar(page).getByText('1 capture not deleted: It was changed after you chose to delete it, and was kept. (altered 0.trc)'))
    expect(await there(ids)).toEqual([200, 404])
    await look(page, accessible(page))
    await look(page, picture(page, 'undo-changed'))
    await bar(page).getByRole('button', { name: 'Delete it all the same' }).click()
    await sees(page, bar(page), 0)
    expect(await there(ids)).toEqual([404, 404])
  })

  test('of an athlete who is changed while it waits is not made', async () => {
    const { athlete } = (await (await call('POST', '/athletes', { first_name: 'Altered' })).json()) as { athlete: { id: string } }
    const page = await stopped('/athletes?q=Altered')
    await page.getByRole('link', { name: 'Altered' }).click()
    await sees(page, page.getByRole('button', { name: 'Delete' }))
    await page.getByRole('button', { name: 'Delete' }).click()
    await sees(page, page.getByRole('dialog'))
    await page.getByLabel(/Type the name/).fill('Altered')
    const read = page.waitForResponse((r) => r.request().method() === 'HEAD' && r.url().endsWith(`/athletes/${athlete.id}`))
    await sees(page, page.getByRole('dialog').getByText('You can undo it for 30 seconds'))
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await read
    expect((await call('POST', `/athletes/${athlete.id}`, { last_name: 'Meanwhile' })).status).toBe(200)
    await page.clock.runFor(31_000)
    await sees(page, bar(page).getByText(/1 athlete not deleted: It was changed/))
    expect((await call('GET', `/athletes/${athlete.id}`)).status).toBe(200)
  })

  test('that still waits when the page is left is not made, and the browser asks before', async () => {
    const ids = await reserved('closed', 1)
    const page = await stopped('/captures?q=closed')
    const asked = deletes(page)
    await removeRows(page, ['closed 0.trc'])
    await sees(page, bar(page))
    await look(page, accessible(page))
    await look(page, picture(page, 'undo'))
    await page.setViewportSize({ width: 390, height: 844 })
    await look(page, picture(page, 'undo-narrow'))
    const question = page.waitForEvent('dialog')
    const left = page.close({ runBeforeUnload: true })
    const dialog = await question
    expect(dialog.type()).toBe('beforeunload')
    await Promise.all([dialog.accept(), page.waitForEvent('close'), left])
    expect(asked).toEqual([])
    expect(await there(ids)).toEqual([200])
  })

  test('that waits when the session ends, or somebody signs out, is not made', async () => {
    const ids = await reserved('ended', 2)
    const page = await stopped('/captures?q=ended')
    const asked = deletes(page)
    await removeRows(page, ['ended 0.trc'])
    page.once('dialog', (d) => void d.dismiss())
    await page.getByRole('button', { name: 'Sign out' }).click()
    await sees(page, bar(page))
    await page.context().clearCookies()
    await page.getByRole('search').getByLabel('Status').selectOption('awaiting_upload')
    await sees(page, page.getByRole('button', { name: 'Sign in' }))
    await page.clock.runFor(60_000)
    await page.getByLabel('Token', { exact: true }).fill(served.token)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await sees(page, bar(page).getByText('1 capture not deleted: The session ended before the time was over. (ended 0.trc)'))
    await bar(page).getByRole('button', { name: 'Leave it' }).click()
    await sees(page, bar(page), 0)
    expect(asked.filter((path) => path.includes('/v1/'))).toEqual([])
    expect(await there(ids)).toEqual([200, 200])
  })

  test('is not made in another organization that the browser has signed in to meanwhile', async () => {
    const ids = await reserved('swapped', 1)
    const page = await stopped('/captures?q=swapped')
    const answers: number[] = []
    page.on('response', (r) => { if (r.request().method() === 'DELETE') answers.push(r.status()) })
    const read = page.waitForResponse((r) => r.request().method() === 'HEAD')
    await removeRows(page, ['swapped 0.trc'])
    await read
    await page.evaluate(async (token) => {
      const json = { 'Content-Type': 'application/json' }
      await fetch('/console/session', { method: 'POST', headers: json, body: JSON.stringify({ token }) })
    }, served.busy)
    await page.clock.runFor(31_000)
    await sees(page, page.getByText('Nothing more was deleted: somebody else signed in with this browser.'))
    expect(answers).toEqual([401])
    expect(await there(ids)).toEqual([200])
    await sees(page, page.getByText('Riverside Clinic').first())
  })

  test('that is tried again later is not when somebody signs out', async () => {
    const ids = await reserved('later', 1)
    const page = await stopped('/captures?q=later')
    const mend = await fault(page, new RegExp(`captures/${ids[0]}$`), 503, 'Come later.')
    await removeRows(page, ['later 0.trc'])
    await page.clock.runFor(31_000)
    await sees(page, bar(page).getByText('Deleting 1 capture'))
    page.once('dialog', (d) => void d.accept())
    await page.getByRole('button', { name: 'Sign out' }).click()
    await sees(page, page.getByRole('button', { name: 'Sign in', exact: true }))
    await mend()
    await page.getByLabel('Token', { exact: true }).fill(served.token)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await sees(page, page.getByRole('button', { name: 'Sign out' }))
    await page.clock.runFor(120_000)
    expect(await there(ids)).toEqual([200])
  })

  test('of an athlete waits too', async () => {
    const { athlete } = (await (await call('POST', '/athletes', { first_name: 'Undona' })).json()) as { athlete: { id: string } }
    const page = await stopped('/athletes?q=Undona')
    await page.getByRole('link', { name: 'Undona' }).click()
    await sees(page, page.getByRole('button', { name: 'Delete' }))
    await page.getByRole('button', { name: 'Delete' }).click()
    await sees(page, page.getByRole('dialog'))
    await page.getByLabel(/Type the name/).fill('Undona')
    await sees(page, page.getByRole('dialog').getByText('You can undo it for 30 seconds'))
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await sees(page, page.getByRole('row', { name: /Undona/ }).getByText('Will be deleted').or(bar(page).getByText('1 athlete will be deleted')).first())
    expect((await call('GET', `/athletes/${athlete.id}`)).status).toBe(200)
    await page.clock.runFor(31_000)
    await sees(page, page.getByText('1 athlete deleted.'))
    expect((await call('GET', `/athletes/${athlete.id}`)).status).toBe(404)
  })
})
