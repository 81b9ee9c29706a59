import { describe, expect, test } from 'vitest'
import { accessible, fault, onlyWhen, open, picture, served, useBrowser } from './browser'

describe('signing in', () => {
  useBrowser()

  test('asks for a token, and opens what was asked for', async () => {
    const page = await open('/captures?status=completed', { token: '' })
    await page.getByLabel('Token').waitFor()
    await page.waitForURL(/\/sign-in\?to=/)
    await accessible(page)
    await picture(page, 'sign-in')
    await page.getByLabel('Token').fill(served.token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Captures' }).waitFor()
    expect(page.url()).toBe(`${served.url}/captures?status=completed`)
  })

  test('keeps the token from every script', async () => {
    const page = await open('/captures')
    await page.getByRole('heading', { name: 'Captures' }).waitFor()
    const seen = await page.evaluate(() => document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage))
    expect(seen).toBe('{}{}')
    const [cookie] = await page.context().cookies(`${served.url}/console/session`)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/console' })
    expect(cookie?.value).not.toContain('kb_')
  })

  test('refuses a token that is not known, in words', async () => {
    const page = await open('/sign-in', { token: '' })
    await page.getByLabel('Token').fill('kb_nobody')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This token is not known here').waitFor()
    await accessible(page)
  })

  test('says when the server is busy, and takes the same token later', async () => {
    const page = await open('/sign-in', { token: '' })
    await page.getByLabel('Token').waitFor()
    const mend = await fault(page, /console\/session/, 503, 'The server is starting. Try again in a moment.', { 'Retry-After': '1' })
    await page.getByLabel('Token').fill(served.token)
    await page.keyboard.press('Enter')
    await page.getByText('The server is starting.').waitFor()
    await mend()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Captures' }).waitFor()
  })

  test('goes back to where the session ended', async () => {
    const page = await open('/captures')
    await page.getByRole('table').waitFor()
    await onlyWhen(page, /console\/v1\/captures\?/, 'status=error')
    await page.context().clearCookies()
    await page.getByLabel('Status').selectOption('error')
    await page.getByText('The session has ended').waitFor()
    await page.getByLabel('Token').fill(served.token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Captures' }).waitFor()
    expect(page.url()).toContain('status=error')
  })

  for (const [how, path, method] of [['revoked', '', 'DELETE'], ['rotated', '/rotate', 'POST']] as const) {
    test(`ends when the token is ${how} elsewhere`, async () => {
      const ask = (to: string, init: RequestInit = {}) => fetch(`${served.url}/v1/tokens${to}`, { ...init, headers: { Authorization: `Bearer ${served.token}`, 'Content-Type': 'application/json' } })
      const made = (await (await ask('', { method: 'POST', body: JSON.stringify({ name: 'short', role: 'viewer' }) })).json()) as { id: string; token: string }
      const page = await open('/captures', { token: made.token })
      await page.getByRole('table').waitFor()
      await onlyWhen(page, /console\/v1\/captures\?/, 'status=completed')
      await ask(`/${made.id}${path}`, { method })
      // The list may have looked again by itself, and be gone.
      await page.getByLabel('Status').selectOption('completed', { timeout: 20_000 }).catch(() => undefined)
      await page.getByText('The session has ended').waitFor()
      await accessible(page)
      expect(await page.context().cookies(`${served.url}/console/session`)).toEqual([])
    })
  }

  test('ends when the token expires', async () => {
    const ask = (init: RequestInit) => fetch(`${served.url}/v1/tokens`, { ...init, headers: { Authorization: `Bearer ${served.token}`, 'Content-Type': 'application/json' } })
    const expires = Date.now() + 20_000
    const made = (await (await ask({ method: 'POST', body: JSON.stringify({ name: 'brief', role: 'viewer', expires_at: new Date(expires).toISOString() }) })).json()) as { token: string }
    const page = await open('/athletes', { token: made.token })
    await page.getByRole('table').waitFor()
    await page.waitForFunction((t) => Date.now() > t, expires + 100)
    await page.getByLabel('Order').selectOption('first_name', { timeout: 20_000 }).catch(() => undefined)
    await page.getByText('The session has ended').waitFor()
  })

  test('ends with signing out', async () => {
    const page = await open('/captures')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    await page.goto(`${served.url}/captures`)
    await page.getByLabel('Token').waitFor()
    expect(await page.context().cookies(`${served.url}/console/session`)).toEqual([])
  })

  test('offers to a viewer only what a viewer may do', async () => {
    const page = await open('/captures', { token: served.viewer })
    await page.getByRole('table').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Upload' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('link', { name: 'Tokens' }).count()).toBe(0)
    await page.goto(`${served.url}/tokens`)
    await page.getByText('Not allowed with this token').waitFor()
  })

  test('never leads to another site', async () => {
    const page = await open('/sign-in?to=//evil.example/', { token: '' })
    await page.getByLabel('Token').fill(served.token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Captures' }).waitFor()
    expect(new URL(page.url()).origin).toBe(served.url)
  })

  test('offers the provider where there is one, and goes on where it was asked for', async () => {
    const page = await open('/sign-in?to=%2Fcaptures%3Fstatus%3Dcompleted', { token: '' })
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await page.route('**/console/ways', (route) => route.fulfill({ json: { provider: 'login.example.org' } }))
    await page.route('**/console/sign-in?*', (route) => route.fulfill({ body: 'the provider' }))
    await page.reload()
    const link = page.getByRole('link', { name: 'Sign in with login.example.org' })
    await link.waitFor()
    await accessible(page)
    await picture(page, 'sign-in-provider')
    await link.click()
    await page.getByText('the provider').waitFor()
    expect(page.url()).toBe(`${served.url}/console/sign-in?to=${encodeURIComponent('/captures?status=completed')}`)
  })

  test('signs out at the provider too', async () => {
    const page = await open('/captures')
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await page.route('**/console/session', async (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ json: { go_to: `${served.url}/openapi.json` } }) : route.continue(),
    )
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${served.url}/openapi.json`)
  })
})
