import { expect, test, describe } from 'vitest'
import { accessible, open, useBrowser } from './browser'
import { leapCSV, recorded } from './motion'

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
  })
})
