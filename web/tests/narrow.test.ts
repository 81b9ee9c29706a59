// Every screen on a phone, on a tablet and on a desk, with names of ordinary and of absurd length.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessible, edited, open, picture, served, useBrowser } from './browser'
import { call, recorded, walkCSV } from './motion'

const long = 'Überlanger'.repeat(13)
const widths = [390, 768, 1280]
const screens: Record<string, string> = {
  overview: '/overview', captures: '/captures?limit=25', athletes: '/athletes', exports: '/exports', tokens: '/tokens', webhooks: '/webhooks',
}

/** drawn waits until a screen shows what it has. */
async function drawn(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.loading'))
  await page.evaluate(async () => { for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame) })
}

/** sizes measures what a page takes: its width, and what of its height is behind all content. */
const sizes = (page: Page) => page.evaluate(() => {
  const root = document.documentElement
  const end = document.getElementById('content')!.getBoundingClientRect().bottom + scrollY
  return { wide: Math.max(0, root.scrollWidth - innerWidth), nothing: Math.max(0, Math.floor(root.scrollHeight - Math.max(end, innerHeight))) } // the height of a page is whole pixels, rounded up
})

/** broken lists the ordinary words in tables that stand in two lines. */
const broken = (page: Page) => page.evaluate(() => {
  const found: string[] = []
  for (const cell of document.querySelectorAll('.sheet:not(.preview) td, .sheet:not(.preview) th')) {
    const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
      for (const word of (text.textContent ?? '').matchAll(/[^\s@.·:-]{2,16}(?=[\s,]|$)/g)) {
        if (word.index > 0 && !/\s/.test(text.textContent![word.index - 1]!)) continue
        const range = document.createRange()
        range.setStart(text, word.index)
        range.setEnd(text, word.index + word[0].length)
        if (new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1) found.push(word[0])
      }
    }
  }
  return found
})

/** outside lists what a person is to press in a table but that lies outside of what is seen of it, and fields that stand out of their card. */
const outside = (page: Page) => page.evaluate(() => {
  const found: string[] = []
  for (const sheet of document.querySelectorAll('.sheet:not(.preview)')) {
    const { left, right } = sheet.getBoundingClientRect()
    for (const one of sheet.querySelectorAll('a, button, .chip')) {
      const box = one.getBoundingClientRect()
      if (box.width > 0 && (box.left < left - 1 || box.right > right + 1 || box.right > innerWidth)) found.push(one.textContent ?? '')
    }
  }
  for (const card of document.querySelectorAll('.card')) {
    for (const field of card.querySelectorAll('input, select, button')) {
      if (field.getBoundingClientRect().right > card.getBoundingClientRect().right - 4) found.push(field.outerHTML.slice(0, 80))
    }
  }
  return found
})

describe('every screen', () => {
  useBrowser()

  beforeAll(async () => {
    const { athlete } = (await (await call('POST', '/athletes', { first_name: long.slice(0, 120), last_name: 'Thandiwe', email: `${'e'.repeat(60)}@example.org` })).json()) as { athlete: { id: string } }
    const capture = await recorded(`${long.slice(0, 100)}.csv`, walkCSV(), { activity: 'a'.repeat(120), movement: long.slice(0, 120) })
    expect((await call('POST', `/captures/${capture}/athletes`, { athlete_id: athlete.id })).status).toBeLessThan(300)
    await recorded(`${long.slice(0, 100)}.c3d`, Buffer.from('no motion at all'), { activity: 'jump', movement: 'squat' })
    expect((await call('POST', '/tokens', { name: long.slice(0, 120), role: 'viewer' })).status).toBeLessThan(300)
    const job = (await (await call('POST', '/data/export', { movement: long.slice(0, 120) })).json()) as { jobId: string }
    const hook = (await (await call('POST', '/webhooks', { url: `http://127.0.0.1:9/${'w'.repeat(200)}`, description: long.slice(0, 120), events: ['athlete.merged', 'export.canceled'] })).json()) as { id: string }
    screens.webhook = `/webhooks/${hook.id}`
    screens.capture = `/captures/${capture}`
    screens.athlete = `/athletes/${athlete.id}`
    screens.export = `/exports/${job.jobId}`
  })

  for (const width of widths) {
    test(`fits into ${width} pixels: nothing beside it, nothing below it, no word broken, all buttons in reach`, async () => {
      const page = await open('/captures', { width, height: 844, still: true })
      // The longest times that are told: a table that fits a minute after its tokens were made need not fit later.
      await edited<{ tokens: { last_used_at: string | null; expires_at: string | null }[] }>(page, /\/v1\/tokens/, ({ tokens }) => {
        for (const [n, t] of tokens.entries()) {
          if (n % 2 === 0) t.last_used_at = new Date(Date.now() - 45 * 60_000).toISOString()
          if (n % 3 === 0) t.expires_at = new Date(Date.now() + (n % 2 ? 320 : -320) * 86_400_000).toISOString()
        }
      })
      for (const [name, path] of Object.entries(screens)) {
        await page.goto(new URL(path, page.url()).href)
        await drawn(page)
        if (name === 'capture') await page.getByRole('group', { name: 'Camera' }).waitFor()
        expect.soft({ name, ...(await sizes(page)), broken: await broken(page), outside: await outside(page) }).toEqual({ name, wide: 0, nothing: 0, broken: [], outside: [] })
        if (width !== 1280 || name === 'tokens') await picture(page, `narrow-${width}-${name}`)
      }
    }, 180_000)
  }

  test('of a capture offers its downloads within the page, however wide it is and whoever looks', async () => {
    for (const token of [served.token, served.viewer]) {
      const page = await open(screens.capture!, { token, still: true })
      const list = page.locator('.menu-list')
      for (const width of [390, 768, 900, 1000, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await page.locator('.menu summary').click()
        const within = () => list.evaluate((e) => { const { left, right } = e.getBoundingClientRect(); return left >= 0 && right <= document.documentElement.clientWidth })
        await expect.poll(within, { message: `${width}` }).toBe(true)
        await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
        await page.keyboard.press('Escape')
        await list.waitFor({ state: 'hidden' })
      }
    }
  })

  test('of a phone has its dialogs inside, and no fault of accessibility', async () => {
    const page = await open('/tokens', { width: 390, height: 844 })
    await drawn(page)
    await accessible(page)
    for (const name of [/^Rotate/, /^Revoke/, 'Create a token']) {
      await page.getByRole('button', { name }).first().click()
      const box = (await page.getByRole('dialog').boundingBox())!
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width).toBeLessThanOrEqual(390)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
  })

  test('lets the last column of a table end at its edge', async () => {
    for (const path of ['/captures', '/tokens']) {
      const page = await open(path)
      await drawn(page)
      const gap = await page.evaluate(() => Math.min(...[...document.querySelectorAll('.sheet tbody td:last-child')].map((cell) => {
        const inner = cell.querySelector('button:last-of-type, .chip')
        return inner ? cell.closest('.sheet')!.getBoundingClientRect().right - inner.getBoundingClientRect().right : Infinity
      })))
      expect(gap).toBeLessThan(40)
    }
  })
})
