// What a console bears that is open all day, in a laboratory.
import { Buffer } from 'node:buffer'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { lab, open, served, trc, useBrowser } from './browser'
import { call, ready, recorded, walkTRC } from './motion'

let walk: string
let swing: string

/** to goes to a place as Back and Forward do. */
const to = (page: Page, path: string) => page.evaluate((p) => { history.pushState(null, '', p); dispatchEvent(new PopStateEvent('popstate')) }, path)

declare global {
  interface Window {
    contexts: WebGLRenderingContext[] // all that there ever were
    asked: number // pictures of the screen
  }
}

/** watched opens a page that counts what it uses. */
async function watched(path: string): Promise<Page> {
  return open(path, { before: (page) => page.addInitScript(() => {
    window.contexts = []
    const make = HTMLCanvasElement.prototype.getContext as (kind: string, options?: unknown) => RenderingContext | null
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, options?: unknown) {
      const one = make.call(this, kind, options)
      if (kind.startsWith('webgl') && one && !window.contexts.includes(one as WebGLRenderingContext)) window.contexts.push(one as WebGLRenderingContext)
      return one
    } as typeof HTMLCanvasElement.prototype.getContext
    window.asked = 0
    const ask = requestAnimationFrame
    window.requestAnimationFrame = (draw) => { window.asked++; return ask(draw) }
  }) })
}

/** pictures says how many were asked for while the screen had some. */
const pictures = (page: Page, some: number) => page.evaluate(async (n) => {
  const before = window.asked
  for (let i = 0; i < n; i++) await new Promise((go) => requestAnimationFrame(go))
  return window.asked - before - n
}, some)

const living = (page: Page) => page.evaluate(() => window.contexts.filter((c) => !c.isContextLost()).length)

describe('a console that is open all day', () => {
  useBrowser()

  beforeAll(async () => {
    walk = await recorded('walk.trc', walkTRC())
    swing = await recorded('swing.trc', trc())
  })

  test('lets go of each capture: its 3D, its pictures of the screen, also of one that is left at once', async () => {
    const page = await watched(`/captures/${walk}`)
    for (let n = 0; n < 10; n++) {
      await to(page, `/captures/${swing}`)
      if (n % 2 === 0) await ready(page)
      await to(page, `/captures/${walk}`)
      await ready(page)
    }
    await expect.poll(() => living(page)).toBe(1)
    // One picture follows another while it plays, however long it has.
    expect(await pictures(page, 20)).toBeLessThanOrEqual(60)
    await to(page, '/captures')
    await page.getByRole('table').waitFor()
    await expect.poll(() => living(page)).toBe(0)
    expect(await pictures(page, 20)).toBeLessThanOrEqual(5)
  }, 180_000)

  test('shows a capture as before when its rate was corrected, and other rows are loaded', async () => {
    const id = await recorded('rate.trc', walkTRC())
    const page = await watched('/captures')
    await page.getByRole('table').waitFor()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await to(page, `/captures/${id}`)
    await ready(page)
    await page.getByRole('checkbox', { name: 'Names' }).check()
    const canvas = page.locator('.stage-view')
    const seen = async () => {
      await page.evaluate(async () => { for (let n = 0; n < 4; n++) await new Promise(requestAnimationFrame) })
      return (await canvas.screenshot()).toString('base64')
    }
    let before = ''
    const still = async () => {
      const last = before
      before = await seen()
      return last === before
    }
    await expect.poll(still).toBe(true) // nothing moves any more
    for (const rate of ['50', '200']) {
      await page.getByRole('button', { name: 'Correct' }).click()
      await page.getByLabel('Frames a second').fill(rate)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByText(`${rate} Hz`).first().waitFor()
      await ready(page)
      await expect.poll(seen).toBe(before)
      await expect.poll(() => living(page)).toBe(1)
    }
  })

  test('refuses a rate that is none, instead of taking the corrected one away', async () => {
    const id = await recorded('rate.trc', walkTRC())
    const page = await open(`/captures/${id}`, { still: true })
    await page.getByRole('button', { name: 'Correct' }).click()
    for (const wrong of ['fast', '120 Hz', '1e999', 'NaN']) {
      await page.getByLabel('Frames a second').fill(wrong)
      await page.getByRole('button', { name: 'Save' }).click()
      await expect.poll(() => page.getByLabel('Frames a second').getAttribute('aria-invalid')).toBe('true')
      await page.getByLabel('Frames a second').fill('')
    }
    await page.getByLabel('Frames a second').fill('62,5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('62.5 Hz').first().waitFor()
  })

  test('is as wide as the screen and no wider, on a telephone and on a tablet', async () => {
    for (const width of [390, 768]) {
      const page = await open('/captures', { width })
      for (const path of ['/captures', `/captures/${walk}`, '/athletes', '/exports', '/tokens', '/overview']) {
        await to(page, path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.getByRole('table').or(page.getByRole('group', { name: 'Camera' })).or(page.getByText('No exports yet')).first().waitFor()
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${path} at ${width}`).toBeLessThanOrEqual(0)
      }
    }
  })

  test('takes a key that is held down, or pressed twice, for one: a token is seen, nothing is deleted', async () => {
    const page = await open('/tokens')
    await page.getByRole('button', { name: 'Create a token' }).click()
    await page.getByLabel('Name').fill('held')
    await page.keyboard.down('Enter')
    const secret = page.getByRole('dialog', { name: 'The new token' })
    await secret.waitFor()
    for (let n = 0; n < 5; n++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.keyboard.press('Enter')
    await expect.poll(() => secret.isVisible()).toBe(true)
    await secret.getByRole('button', { name: 'I have kept it' }).click()
    await expect.poll(() => page.getByRole('row', { name: /held/ }).count()).toBe(1)

    const id = await recorded('held.trc', trc())
    await to(page, `/captures/${id}`)
    await page.getByRole('button', { name: 'Delete' }).focus()
    for (let n = 0; n < 8; n++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.getByRole('dialog').waitFor()
    expect((await call('GET', `/captures/${id}`)).status).toBe(200)
  })

  test('says so when what it shows is deleted by somebody else', async () => {
    const made = (await (await call('POST', '/athletes', { first_name: 'Gone' })).json()) as { athlete: { id: string } }
    const id = await recorded('gone.trc', trc())
    for (const [path, title] of [[`/captures/${id}`, 'There is no such capture'], [`/athletes/${made.athlete.id}`, 'There is no such athlete']] as const) {
      const page = await open(path)
      await page.getByRole('button', { name: 'Delete' }).waitFor()
      expect((await call('DELETE', path)).status).toBeLessThan(300)
      // It looks again when it is seen again.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await page.getByRole('heading', { name: title }).waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    }
  })

  test('does everything by http too, where browsers keep back what they call unsafe there', async () => {
    const page = await open('/captures', { host: lab })
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await page.getByLabel('Token').fill(served.token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByLabel('Files to upload').setInputFiles({ name: 'by-http.trc', mimeType: 'text/plain', buffer: Buffer.from(trc()) })
    await page.getByRole('button', { name: 'Upload 1 file' }).click()
    await page.getByText('Done').waitFor()
    await page.getByRole('button', { name: 'Close the list of uploads' }).click()
    await page.getByRole('link', { name: 'Athletes' }).click()
    await page.getByRole('button', { name: 'Add an athlete' }).first().click()
    await page.getByLabel('First name').fill('By http')
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('The athlete was added.').waitFor()
    await page.getByRole('link', { name: 'Exports' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Tokens' }).click()
    await page.getByRole('table').waitFor()
  })
})
