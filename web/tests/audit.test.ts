import { describe, expect, test } from 'vitest'
import { accessible, fault, open, picture, served, useBrowser } from './browser'

const ask = (method: string, path: string, token: string, body?: object) =>
  fetch(`${served.url}/v1${path}`, { method, headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }, ...(body ? { body: JSON.stringify(body) } : {}) }).then((a) => a.json() as Promise<Record<string, unknown>>)

describe('the audit log', () => {
  useBrowser()

  test('shows who did what, newest first, and is filtered by actor, object, action and days', async () => {
    const made = ((await ask('POST', '/athletes', served.token, { first_name: 'Unmistakable' })).athlete as { id: string }).id
    await ask('DELETE', `/athletes/${made}`, served.token)
    await ask('DELETE', `/athletes/${made}`, served.viewer)
    const page = await open('/overview')
    await page.getByRole('link', { name: 'Audit' }).click()
    const rows = page.getByRole('table').getByRole('row')
    await rows.nth(1).waitFor()
    await accessible(page)
    await picture(page, 'audit')
    expect(await page.getByRole('table').textContent()).not.toContain('Unmistakable')

    await page.getByLabel('Object').fill(made)
    await expect.poll(() => rows.count()).toBe(4)
    expect(await rows.nth(1).textContent()).toContain('Refused')
    expect(await rows.nth(2).textContent()).toContain('Delete athlete')
    expect(await rows.nth(3).textContent()).toContain('Create athlete')
    await page.getByLabel('Action').fill('createAthlete')
    await expect.poll(() => rows.count()).toBe(2)
    await rows.nth(1).getByRole('link').first().click()
    expect(new URL(page.url()).searchParams.get('actor')).toMatch(/^[0-9a-f-]{36}$/)
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByLabel('From').fill('2099-01-01')
    await page.getByText('No entry fits').waitFor()
    await accessible(page)
    await page.getByRole('link', { name: 'Show the newest entries' }).click()
    await rows.nth(3).waitFor()
    expect(await page.getByLabel('Action').inputValue()).toBe('')
  })

  test('leads to older entries and back', async () => {
    const page = await open('/overview', { token: served.busy })
    for (let n = 0; n < 30; n++) {
      const { id } = (await ask('POST', '/tokens', served.busy, { name: 'brief', role: 'viewer' })) as { id: string }
      await ask('DELETE', `/tokens/${id}`, served.busy)
    }
    await page.getByRole('link', { name: 'Audit' }).click()
    const rows = page.getByRole('table').getByRole('row')
    await expect.poll(() => rows.count()).toBe(51)
    const newest = await rows.nth(1).textContent()
    await page.getByRole('link', { name: 'Older entries' }).click()
    await page.getByRole('link', { name: 'Newest entries' }).waitFor()
    await expect.poll(() => rows.nth(1).textContent()).not.toBe(newest)
    await page.goBack()
    await expect.poll(() => rows.nth(1).textContent()).toBe(newest)
  })

  test('is offered to nobody without the scope', async () => {
    const page = await open('/audit', { token: served.viewer })
    await page.getByText('This page needs the scope admin').waitFor()
    expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0)
  })

  for (const status of [403, 429, 503]) {
    test(`says what is wrong when the server answers with ${status}`, async () => {
      const page = await open('/captures')
      await page.getByRole('table').waitFor()
      await fault(page, /console\/v1\/audit/, status, `Sentence of the ${status}.`, { 'Retry-After': '600' })
      await page.getByRole('link', { name: 'Audit' }).click()
      await page.getByText(`Sentence of the ${status}.`).waitFor()
    })
  }
})
