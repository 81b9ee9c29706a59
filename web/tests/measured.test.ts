import { expect, test, describe } from 'vitest'
import { waits } from '../src/screens/capture/measured'
import { accessible, edited, open, useBrowser } from './browser'
import { call, leapCSV, recorded } from './motion'

describe('a jump', () => {
  useBrowser()

  test('is measured: events, metrics with their unit, and what is not given with the reason', async () => {
    const jump = await recorded('jump.csv', leapCSV(), { activity: 'Jump', movement: 'Countermovement' })
    const page = await open(`/captures/${jump}`, { still: true })
    const card = page.getByRole('region', { name: 'Measured' })
    await card.getByText('Jump height', { exact: true }).waitFor()
    await expect.poll(() => card.locator('dt', { hasText: /^Jump height$/ }).locator('xpath=following-sibling::dd[1]').textContent()).toMatch(/^0\.\d{4} m$/)
    expect(await card.locator('dt', { hasText: /^Jump height$/ }).getAttribute('title')).toContain('By impulse')
    await card.getByRole('button', { name: /Take-off/ }).click()
    await card.getByText(/values are not given/).click()
    await card.getByText(/which foot/).waitFor()
    await accessible(page)

    // A correction has it measured again, which the page waits for by itself. Nothing else on it begins again.
    await page.evaluate(() => { (window as { stays?: boolean }).stays = true })
    await page.getByRole('slider', { name: 'Frame' }).fill('100')
    await page.getByRole('button', { name: 'Correct' }).click()
    await page.getByRole('dialog').getByLabel('Activity').fill('stability')
    await page.getByRole('dialog').getByLabel('Movement').fill('single_leg_stance')
    await page.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Jump height', { exact: true }).waitFor({ state: 'detached' })
    await expect.poll(async () => ((await (await call('GET', `/captures/${jump}/motion`)).json()) as { computed: { reason?: { code: string } } }).computed.reason?.code).toBeUndefined()
    const { computed } = (await (await call('GET', `/captures/${jump}/motion`)).json()) as { computed: { withheld: { message: string }[] } }
    // The list is open still if the page never saw the recording without measurements in between.
    await card.locator('details.withheld').evaluate((list) => ((list as HTMLDetailsElement).open = true))
    await card.getByText(computed.withheld[0]!.message).first().waitFor()
    await page.getByText('The recording is being measured.').waitFor({ state: 'detached' })
    expect(await page.getByRole('slider', { name: 'Frame' }).inputValue()).toBe('100')
    expect(await page.evaluate(() => (window as { stays?: boolean }).stays)).toBe(true)
  })

  test('that is not measured is looked for ever more rarely, and then no more', async () => {
    const jump = await recorded('jump.csv', leapCSV(), { activity: 'Jump', movement: 'Countermovement' })
    let asked = 0
    const page = await open(`/captures/${jump}`, { still: true, before: async (page) => {
      await page.clock.install()
      const reason = { code: 'pending', message: 'The recording is being measured.' }
      await edited<{ computed: object }>(page, /\/motion$/, (body) => { asked++; body.computed = { ...body.computed, reason, events: [], metrics: [], withheld: [] } })
    } })
    await page.getByText('The recording is being measured.').waitFor()
    const later = page.getByRole('button', { name: 'Look again' })
    for (let looks = 1; looks <= waits.length; looks++) {
      await expect.poll(async () => {
        await page.clock.runFor(waits[looks - 1]! + 1)
        return asked
      }).toBeGreaterThan(looks)
    }
    await later.waitFor()
    expect(asked).toBeLessThanOrEqual(2 + waits.length)
    const before = asked
    await page.clock.runFor(10 * 60_000)
    expect(asked).toBe(before)
    await accessible(page)
    await later.click()
    await expect.poll(() => asked).toBeGreaterThan(before)
    await page.getByText('The recording is being measured.').waitFor()
  })
})
