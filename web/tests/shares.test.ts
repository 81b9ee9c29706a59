// Links for people without an account: made in a dialog, opened by somebody who is not signed in, taken back.
import { beforeAll, describe, expect, test } from 'vitest'
import { accessible, open, picture, served, useBrowser } from './browser'
import { call, recorded, walkTRC } from './motion'

let walk: string
let other: string

describe('a link', () => {
  useBrowser()
  beforeAll(async () => {
    walk = await recorded('Unmistakable Personsson.trc', walkTRC(), { activity: 'gait', movement: 'walking' })
    other = await recorded('Another Personsson.trc', walkTRC(), { activity: 'gait', movement: 'walking' })
  })

  /** visitor opens a link as somebody without an account, and notes what is asked for. */
  async function visitor(link: string) {
    const asked: string[] = []
    const at = new URL(link)
    const page = await open(at.pathname + at.hash, { token: '', still: true, before: async (p) => p.on('request', (r) => asked.push(r.url())) })
    return { page, asked }
  }

  test('shows a capture as it was seen, without names, until it is taken back', async () => {
    const page = await open(`/captures/${walk}?plot=LANK&numbers=1`, { still: true })
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('For whom').fill('The physiotherapist')
    await accessible(page)
    await picture(page, 'share')
    await dialog.getByRole('button', { name: 'Make a link' }).click()
    const link = (await dialog.locator('pre').innerText()).trim()
    expect(link).toMatch(new RegExp(`^${served.url}/shared#ks_[0-9A-Za-z]{49}$`))

    // The organization draws one bone of its own, and so does the page of the link.
    expect((await call('PUT', '/skeletons', { skeletons: [{ name: 'Personsson’s', bones: [['LANK', 'RANK']] }] })).status).toBe(200)
    const seen = await visitor(link)
    await seen.page.getByRole('img', { name: /^3D view of \d+ points and 1 bone\./ }).waitFor()
    expect((await call('PUT', '/skeletons', { skeletons: [] })).status).toBe(200)
    await seen.page.getByRole('figure', { name: 'Course of LANK in m' }).waitFor()
    await seen.page.getByRole('table', { name: 'LANK in the time shown' }).waitFor()
    await accessible(seen.page)
    await picture(seen.page, 'shared')
    const text = await seen.page.locator('body').innerText()
    expect(text).not.toMatch(/Personsson/)
    expect(text).not.toContain(walk)
    for (const offered of ['Correct', 'Delete', 'Share', 'Compare', 'Download', 'Sign out']) expect(await seen.page.getByRole('button', { name: offered, exact: true }).count()).toBe(0)
    // All that it asks for is what is shared; the secret is in no address.
    const secret = new URL(link).hash.slice(1)
    expect(seen.asked.filter((u) => u.includes(secret) && !u.endsWith(`#${secret}`))).toEqual([])
    expect(seen.asked.filter((u) => !/\/assets\/|\/shared(#|$|\?)|\/v1\/shared/.test(u))).toEqual([])
    // What a visitor changes in the page keeps the link whole.
    await seen.page.getByRole('button', { name: 'Close the plot of LANK' }).click()
    await expect.poll(() => new URL(seen.page.url()).hash).toBe(`#${secret}`)
    await seen.page.reload()
    await seen.page.getByRole('img', { name: /^3D view of / }).waitFor()

    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await dialog.getByText(/opened 2 times/).waitFor()
    await dialog.getByRole('button', { name: 'Take back The physiotherapist' }).click()
    await dialog.getByText('The physiotherapist').first().waitFor({ state: 'detached' })
    await seen.page.reload()
    await seen.page.getByText('There is nothing at this link').waitFor()
    await accessible(seen.page)
  })

  test('shows a comparison with the same lines', async () => {
    const page = await open(`/compare?capture=${walk}&capture=${other}&column=LANK_z&by=capture`, { still: true })
    await page.getByRole('region', { name: 'Chart' }).waitFor()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make a link' }).click()
    const link = (await page.getByRole('dialog').locator('pre').innerText()).trim()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    const seen = await visitor(link)
    await seen.page.getByRole('region', { name: 'Chart' }).waitFor()
    const numbers = async (p: typeof page) => (await p.getByRole('table').first().locator('tbody td').allInnerTexts()).join()
    expect(await numbers(seen.page)).toBe(await numbers(page))
    const text = await seen.page.locator('body').innerText()
    expect(text).not.toMatch(/Personsson/)
    expect(text).toContain('Capture 2')
    await accessible(seen.page)
    await picture(seen.page, 'shared-comparison')
  })
})
