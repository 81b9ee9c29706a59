import { describe, expect, test } from 'vitest'
import { accessible, fault, open, picture, served, useBrowser } from './browser'

describe('tokens', () => {
  useBrowser()

  test('are created, shown once, used, rotated and revoked', async () => {
    const page = await open('/tokens')
    await page.getByRole('table').waitFor()
    await accessible(page)
    await picture(page, 'tokens')
    await page.getByRole('button', { name: 'Create a token' }).click()
    await accessible(page)
    await page.getByLabel('Name').fill('nightly 🌙 <b>')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const secret = page.getByLabel('Token', { exact: true })
    await secret.waitFor()
    await accessible(page)
    await picture(page, 'token-shown')
    const first = (await secret.textContent()) ?? ''
    expect(first).toMatch(/^kb_[0-9A-Za-z]{49}$/)
    await expect.poll(() => page.getByLabel('A first call').textContent()).toContain(`${served.url}/v1/captures`)
    const call = (token: string) => fetch(`${served.url}/v1/captures?limit=1`, { headers: { Authorization: `Bearer ${token}` } }).then((a) => a.status)
    expect(await call(first)).toBe(200)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('cell', { name: 'nightly 🌙 <b>', exact: true }).waitFor()

    await page.getByRole('button', { name: 'Rotate nightly' }).click()
    await page.getByRole('button', { name: 'Rotate', exact: true }).last().click()
    await secret.waitFor()
    const second = (await secret.textContent()) ?? ''
    expect(second).not.toBe(first)
    expect([await call(first), await call(second)]).toEqual([401, 200])
    await page.getByRole('button', { name: 'I have kept it' }).click()

    await page.getByRole('button', { name: 'Revoke nightly' }).click()
    await accessible(page)
    await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
    await page.getByText('The token was revoked.').waitFor()
    await page.getByRole('row', { name: /nightly/ }).getByRole('cell', { name: 'Revoked', exact: true }).waitFor()
    expect(await call(second)).toBe(401)
  })

  test('are refused in the words of the rule, beside the field', async () => {
    const page = await open('/tokens')
    await page.getByRole('button', { name: 'Create a token' }).click()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.locator('.field.faulty', { hasText: 'Name' }).locator('.fault').waitFor()
    await page.getByLabel('Name').fill('x')
    await page.getByLabel('What it may do').selectOption('')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('dialog').locator('.fault, .problem').first().waitFor()
    await accessible(page)
  })

  for (const status of [403, 429, 503]) {
    test(`say what is wrong when the server answers with ${status}`, async () => {
      const page = await open('/captures')
      await page.getByRole('table').waitFor()
      await fault(page, /console\/v1\/tokens/, status, `Sentence of the ${status}.`, { 'Retry-After': '600' })
      await page.getByRole('link', { name: 'Tokens' }).click()
      await page.getByText(`Sentence of the ${status}.`).waitFor()
    })
  }
})
