// Webhooks in the console, with a receiver that listens.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessible, fault, open, picture, served, useBrowser } from './browser'

const ask = (method: string, path: string, body?: object) =>
  fetch(`${served.url}/v1${path}`, { method, headers: { Authorization: `Bearer ${served.busy}`, 'Content-Type': 'application/json' }, ...(body ? { body: JSON.stringify(body) } : {}) })

describe('webhooks', () => {
  useBrowser()

  let receiver: Server
  let url = ''
  let status = 204
  const heard: { type: string; id: string }[] = []
  beforeAll(async () => {
    receiver = createServer((request, answer) => {
      let text = ''
      request.on('data', (part) => { text += String(part) })
      request.on('end', () => {
        heard.push({ type: (JSON.parse(text) as { type: string }).type, id: String(request.headers['webhook-id']) })
        answer.writeHead(status).end()
      })
    })
    await new Promise<void>((done) => { receiver.listen(0, '127.0.0.1', done) })
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/told`
  })
  afterAll(() => { receiver.close() })

  test('are made, tried, changed, paused, resumed, given a new secret and deleted', async () => {
    const page = await open('/overview', { token: served.busy })
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByText('No webhooks yet').waitFor()
    await accessible(page)
    await page.getByRole('button', { name: 'Create a webhook' }).click()
    await page.getByLabel('Address').fill('ftp://nowhere')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.locator('.field.faulty', { hasText: 'Address' }).locator('.fault').waitFor()
    await page.getByLabel('Address').fill(url)
    await page.getByLabel('Note').fill('the warehouse 🌙 <b>')
    await page.getByLabel('Everything, also what later versions tell').uncheck()
    await page.getByLabel('athlete.created').check()
    await accessible(page)
    await picture(page, 'webhook-new')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const secret = page.getByLabel('Secret', { exact: true })
    await secret.waitFor()
    await accessible(page)
    const first = await secret.textContent()
    expect(first).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    expect(await page.content()).not.toContain(first)
    await page.getByText('the warehouse 🌙 <b>').waitFor()
    await accessible(page)
    await picture(page, 'webhooks')
    await page.getByRole('link', { name: url }).click()
    await page.getByText('Nothing was to be delivered yet.').waitFor()

    await page.getByRole('button', { name: 'Send a test' }).focus()
    await page.keyboard.press('Enter')
    const log = page.getByRole('region', { name: 'Log of deliveries' })
    await log.getByRole('row', { name: /webhook\.test/ }).getByRole('cell', { name: 'Delivered', exact: true }).waitFor()
    expect(heard.map((h) => h.type)).toEqual(['webhook.test'])
    await ask('POST', '/athletes', { first_name: 'Told' })
    await log.getByRole('row', { name: /athlete\.created/ }).getByRole('cell', { name: 'Delivered', exact: true }).waitFor()
    await accessible(page)
    await picture(page, 'webhook')
    await page.setViewportSize({ width: 390, height: 844 })
    await picture(page, 'webhook-narrow')
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 900 })
    await log.getByRole('button', { name: /^Deliver athlete\.created/ }).click()
    await expect.poll(() => heard.filter((h) => h.type === 'athlete.created').map((h) => h.id)).toHaveLength(2)
    expect(new Set(heard.map((h) => h.id)).size).toBe(2) // the same delivery, once more

    await page.getByLabel('State').selectOption('failed')
    await page.getByText('No delivery is in this state.').waitFor()
    await page.waitForURL(/state=failed/)
    await page.getByLabel('State').selectOption('')

    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Disabled').waitFor()
    await expect.poll(() => log.getByRole('button', { name: /^Deliver/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('Enabled').waitFor()

    await page.getByRole('button', { name: 'Change' }).click()
    await expect.poll(() => page.getByRole('checkbox', { name: 'athlete.created' }).isChecked()).toBe(true)
    await page.getByRole('checkbox', { name: 'athlete.deleted' }).check()
    await page.getByLabel('Note').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('athlete.created, athlete.deleted').waitFor()

    await page.getByRole('button', { name: 'Rotate the secret' }).click()
    await accessible(page)
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await secret.waitFor()
    expect(await secret.textContent()).not.toBe(first)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByText('Both secrets sign until').waitFor()

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks yet').waitFor()
    expect(((await (await ask('GET', '/webhooks')).json()) as { webhooks: object[] }).webhooks).toEqual([])
  })

  test('that the server has paused say why, and what failed says what the receiver answered', async () => {
    status = 410
    const { id } = (await (await ask('POST', '/webhooks', { url })).json()) as { id: string }
    await ask('POST', '/athletes', { first_name: 'Gone' })
    await expect.poll(async () => ((await (await ask('GET', `/webhooks/${id}`)).json()) as { state: string }).state).toBe('paused')
    const page = await open(`/webhooks/${id}`, { token: served.busy })
    await page.getByText('The receiver has answered that it is gone for good (410).').waitFor()
    const row = page.getByRole('region', { name: 'Log of deliveries' }).getByRole('row', { name: /athlete\.created/ })
    await row.getByRole('cell', { name: 'Failed', exact: true }).waitFor()
    await row.getByRole('cell', { name: '410', exact: true }).waitFor()
    await accessible(page)
    await picture(page, 'webhook-paused')
    status = 204
    await page.getByRole('button', { name: 'Resume' }).click()
    await row.getByRole('button', { name: /^Deliver/ }).click()
    await row.getByRole('cell', { name: 'Delivered', exact: true }).waitFor()
    await ask('DELETE', `/webhooks/${id}`)
    await page.reload()
    await page.getByText('There is no such webhook').waitFor()
  })

  test('are offered to nobody without the scope', async () => {
    const page = await open('/webhooks', { token: served.viewer })
    await page.getByText('This page needs the scope admin').waitFor()
    expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
  })

  for (const refused of [403, 429, 503]) {
    test(`say what is wrong when the server answers with ${refused}`, async () => {
      const page = await open('/captures')
      await page.getByRole('table').waitFor()
      await fault(page, /console\/v1\/webhooks/, refused, `Sentence of the ${refused}.`, { 'Retry-After': '600' })
      await page.getByRole('link', { name: 'Webhooks' }).click()
      await page.getByText(`Sentence of the ${refused}.`).waitFor()
    })
  }
})
