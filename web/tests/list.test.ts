// The list as people expect it: its order, its columns, and filters that are kept.
import { beforeAll, describe, expect, test } from 'vitest'
import { accessible, edited, open, picture, served, trc, useBrowser } from './browser'
import { call, recorded } from './motion'
import { sorted } from '../src/screens/captures/orders'
import { savedOf, withSaved } from '../src/screens/captures/kept'
import type { Capture } from '../src/screens/captures/rows'

const list = /console\/v1\/captures\?/
const files = async (page: Awaited<ReturnType<typeof open>>) =>
  (await page.locator('tbody tr td.wide').allInnerTexts()).map((t) => /\w+ \d+\.trc/.exec(t)?.[0] ?? t)

describe('the list', () => {
  useBrowser()

  beforeAll(async () => {
    // Names and times in different orders, and numbers that do not sort as texts.
    for (const [n, movement, at] of [[10, 'beta', '2018-01-03'], [9, 'alpha', '2018-01-02'], [2, 'gamma', '2018-01-01'], [30, 'alpha', '2018-01-04']] as const) {
      await recorded(`order ${n}.trc`, trc(), { activity: 'ordered', movement }, `${at}T00:00:00.000Z`)
    }
  })

  test('is sorted by time and by names, from the head of a column, by keyboard and from the address', async () => {
    const page = await open('/captures?activity=ordered')
    const table = page.getByRole('table')
    await expect.poll(() => files(page)).toEqual(['order 30.trc', 'order 10.trc', 'order 9.trc', 'order 2.trc'])
    expect(await table.getByRole('columnheader', { name: 'Recorded' }).getAttribute('aria-sort')).toBe('descending')
    await table.getByRole('link', { name: 'Recorded' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/sort=oldest/)
    await expect.poll(() => files(page)).toEqual(['order 2.trc', 'order 9.trc', 'order 10.trc', 'order 30.trc'])
    expect(await table.getByRole('columnheader', { name: 'Recorded' }).getAttribute('aria-sort')).toBe('ascending')
    await table.getByRole('link', { name: 'Movement' }).click()
    await expect.poll(() => files(page)).toEqual(['order 30.trc', 'order 9.trc', 'order 10.trc', 'order 2.trc']) // equals newest first
    await table.getByRole('link', { name: 'Movement' }).click()
    await expect.poll(() => files(page)).toEqual(['order 2.trc', 'order 10.trc', 'order 30.trc', 'order 9.trc'])
    await page.getByLabel('Sort by').selectOption('file')
    await expect.poll(() => files(page)).toEqual(['order 2.trc', 'order 9.trc', 'order 10.trc', 'order 30.trc'])
    await accessible(page)
    await picture(page, 'list-sorted')
    // Pages are those of all of it, and not each sorted by itself.
    await page.goto(`${served.url}/captures?activity=ordered&sort=-file&offset=2`)
    await expect.poll(() => files(page)).toEqual(['order 9.trc', 'order 2.trc'])
    await page.goBack()
    await expect.poll(() => page.getByLabel('Sort by').inputValue()).toBe('file')
  })

  test('is read from its oldest end by the server, over pages', async () => {
    const page = await open('/captures?sort=oldest&limit=25')
    const told = await (await call('GET', '/captures?order=oldest&limit=25&offset=25&include=file')).json() as { captures: { session_id: string }[] }
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.waitForURL(/offset=25/)
    await expect.poll(() => page.locator('tbody a.strong').evaluateAll((all) => all.map((a) => decodeURIComponent(a.getAttribute('href')!.replace('/captures/', ''))))).toEqual(told.captures.map((c) => c.session_id))
  })

  test('is not sorted by a name where there is more than is read, and says so', async () => {
    const page = await open('/captures?activity=ordered&sort=file', { before: (page) => edited<{ total_count: number }>(page, list, (body) => { body.total_count = 5001 }) })
    await page.getByText('Newest first: a list is sorted by a name up to 5,000 captures, and this one has 5,001').waitFor()
    await expect.poll(() => files(page)).toEqual(['order 30.trc', 'order 10.trc', 'order 9.trc', 'order 2.trc'])
    expect(await page.getByRole('table').getByRole('link', { name: 'Movement' }).count()).toBe(0)
    expect(await page.getByRole('option', { name: 'Athlete, A to Z' }).isDisabled()).toBe(true)
    await page.getByRole('table').getByRole('link', { name: 'Recorded' }).click()
    await page.waitForURL(/sort=oldest/)
    await accessible(page)
  })

  test('has what has no name last in either order, and case and accents do not part what belongs together', () => {
    const of = (file_name: string | null) => ({ file_name }) as Capture
    const all = ['b', null, 'Á', 'a2', 'a10'].map(of)
    const names = (sort: 'file' | '-file') => sorted(all, sort).map((c) => c.file_name)
    expect([names('file'), names('-file')]).toEqual([['Á', 'a2', 'a10', 'b', null], ['b', 'a10', 'a2', 'Á', null]])
  })

  test('has the columns that somebody chose, in this browser and in the address', async () => {
    const page = await open('/captures?activity=ordered')
    const heads = () => page.getByRole('columnheader').allInnerTexts().then((all) => all.map((t) => t.replace(/ [↑↓]$/, '')).filter(Boolean))
    await expect.poll(heads).toEqual(['Movement', 'Athlete', 'Recorded', 'Frames a second', 'Status'])
    await page.getByText('Columns', { exact: true }).focus()
    await page.keyboard.press('Enter')
    const boxes = page.getByRole('group', { name: 'Columns of the list' })
    await boxes.getByLabel('File').check()
    await boxes.getByLabel('Status').uncheck()
    await boxes.getByLabel('Athlete').uncheck()
    await accessible(page)
    await picture(page, 'list-columns')
    await page.keyboard.press('Escape')
    await expect.poll(() => boxes.isVisible()).toBe(false)
    await expect.poll(heads).toEqual(['Movement', 'File', 'Recorded', 'Frames a second'])
    await page.waitForURL(/columns=file%2Crecorded%2Crate/)
    await page.goto(`${served.url}/captures?activity=ordered`)
    await expect.poll(heads).toEqual(['Movement', 'File', 'Recorded', 'Frames a second'])
    await page.goto(`${served.url}/captures?activity=ordered&columns=session,nonsense`)
    await expect.poll(heads).toEqual(['Movement', 'Session id'])
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    await picture(page, 'list-columns-narrow')
  })

  test('keeps filters under a name, by organization, until they are removed', async () => {
    const page = await open('/captures?activity=ordered&sort=oldest')
    await page.getByRole('button', { name: 'Save these filters' }).click()
    await accessible(page)
    await page.getByLabel('Name', { exact: true }).fill('Ordered ones')
    await page.keyboard.press('Enter')
    const saved = page.getByRole('list', { name: 'Saved filters' })
    await saved.getByRole('link', { name: 'Ordered ones' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Save these filters' }).count()).toBe(0)
    await page.goto(`${served.url}/captures`)
    await saved.getByRole('link', { name: 'Ordered ones' }).click()
    await page.waitForURL((u) => u.searchParams.get('activity') === 'ordered' && u.searchParams.get('sort') === 'oldest')
    await expect.poll(() => saved.getByRole('link').getAttribute('aria-current')).toBe('true')
    await accessible(page)
    await picture(page, 'list-saved')
    await page.setViewportSize({ width: 390, height: 844 })
    await picture(page, 'list-saved-narrow')
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    await saved.getByRole('button', { name: 'Remove the saved filter Ordered ones' }).click()
    await expect.poll(() => saved.count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: 'Save these filters' }).waitFor()
    expect(await saved.count()).toBe(0)
  })

  test('keeps the filters that another tab saves or removes, and shows them', async () => {
    const here = await open('/captures?activity=ordered')
    const other = await here.context().newPage()
    await other.goto(`${served.url}/captures?q=order`)
    const saved = (page: typeof here) => page.getByRole('list', { name: 'Saved filters' }).getByRole('link')
    const save = async (page: typeof here, name: string) => {
      await page.getByRole('button', { name: 'Save these filters' }).click()
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.keyboard.press('Enter')
    }
    await other.getByRole('button', { name: 'Save these filters' }).waitFor()
    await save(here, 'First')
    await expect.poll(() => saved(other).allInnerTexts()).toEqual(['First'])
    await save(other, 'Second')
    await expect.poll(() => saved(other).allInnerTexts()).toEqual(['First', 'Second'])
    await expect.poll(() => saved(here).allInnerTexts()).toEqual(['First', 'Second'])
    await here.getByRole('button', { name: 'Remove the saved filter First' }).click()
    await expect.poll(() => saved(other).allInnerTexts()).toEqual(['Second'])
    expect(await saved(here).allInnerTexts()).toEqual(['Second'])
    // What another tab has written counts also before this one hears of it.
    await here.evaluate(() => {
      const key = Object.keys(localStorage).find((k) => k.startsWith('kinebase:filters:'))!
      localStorage.setItem(key, JSON.stringify([{ name: 'Second', query: 'q=order' }, { name: 'Third', query: 'q=3' }]))
    })
    await save(here, 'Fourth')
    await expect.poll(() => saved(here).allInnerTexts()).toEqual(['Fourth', 'Second', 'Third'])
    await expect.poll(() => saved(other).allInnerTexts()).toEqual(['Fourth', 'Second', 'Third'])
  })

  test('has saved filters in the order of their names, one of each, and forgets what it does not understand', () => {
    const one = (name: string, query = 'q=x') => ({ name, query })
    expect(withSaved([one('b'), one('A', 'q=1')], one('a', 'q=2'))).toEqual([one('a', 'q=2'), one('b')])
    const kept = new Map([['kinebase:filters:o', '[{"name":1},null,{"name":"x","query":"q=1"}]'], ['kinebase:filters:p', '{']])
    Object.assign(globalThis, { localStorage: { getItem: (k: string) => kept.get(k) ?? null } })
    expect([savedOf('o'), savedOf('p'), savedOf('q')]).toEqual([[one('x', 'q=1')], [], []])
  })

  test('finds a movement by a part of its name', async () => {
    const page = await open('/captures')
    await page.getByLabel('Search').fill('amm')
    await page.waitForURL(/q=amm/)
    await expect.poll(() => files(page)).toContain('order 2.trc')
  })
})
