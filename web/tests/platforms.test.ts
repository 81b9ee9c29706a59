// Force platforms in the scene and in the plots, and the keys that go from event to event.
import { describe, expect, test } from 'vitest'
import { accessible, fault, open, picture, useBrowser } from './browser'
import { call } from './motion'

interface Told {
  platform_channels: { name: string; columns: string[] }[]
  computed: { events: { column: string; frame: number }[] } | null
}

/** pressed is a capture of the demo whose athlete stands on force platforms, with events. */
async function pressed(): Promise<{ id: string; motion: Told }> {
  const { captures } = (await (await call('GET', '/captures?activity=jump&movement=countermovement&include=file&limit=500')).json()) as { captures: { session_id: string; file_name: string | null }[] }
  for (const { session_id: id } of captures.filter((c) => c.file_name)) {
    const motion = (await (await call('GET', `/captures/${id}/motion`)).json()) as Told
    if (motion.platform_channels.length > 0 && motion.computed && motion.computed.events.length > 1) return { id, motion }
  }
  throw new Error('the demo has no capture with force platforms and events')
}

describe('force platforms', () => {
  useBrowser()

  test('show their force in the scene, and are channels of the plots; keys go by ten frames and from event to event', async () => {
    const { id, motion } = await pressed()
    const page = await open(`/captures/${id}`, { still: true })
    const forces = page.getByRole('checkbox', { name: 'Forces' })
    await forces.waitFor()
    await page.getByText(/an arrow of 1 m is 1000 N/).waitFor()
    const seen = async () => {
      await page.evaluate(async () => { for (let n = 0; n < 4; n++) await new Promise(requestAnimationFrame) })
      return (await page.locator('.stage-view').screenshot()).toString('base64')
    }
    const still = async () => {
      let before = ''
      await expect.poll(async () => {
        const last = before
        before = await seen()
        return last === before
      }).toBe(true)
      return before
    }
    const arrows = await still()
    await forces.uncheck()
    await expect.poll(async () => (await seen()) === arrows).toBe(false)
    await expect.poll(() => page.locator('.stage-scale').textContent()).not.toContain('N')
    await forces.check()
    await expect.poll(async () => (await seen()) === arrows).toBe(true)
    await accessible(page)
    await picture(page, 'capture-forces')

    // The channels are offered, and plotted like others.
    const channel = motion.platform_channels[0]!.name
    await page.getByText('Force platforms', { exact: false }).locator('xpath=ancestor-or-self::summary').click()
    await page.getByRole('checkbox', { name: channel, exact: true }).check()
    await expect.poll(() => page.getByRole('figure', { name: new RegExp(`^Course of ${channel} in N`) }).locator('.plot-host').getAttribute('data-points')).toMatch(/^\d{3,}$/)

    const frame = page.getByRole('slider', { name: 'Frame' })
    const at = () => frame.inputValue()
    const frames = [...new Set(motion.computed!.events.map((e) => e.frame))].sort((a, b) => a - b)
    await page.locator('body').click({ position: { x: 5, y: 5 } })
    await page.keyboard.press('Home')
    await page.keyboard.press('l')
    await expect.poll(at).toBe('10')
    await page.keyboard.press('j')
    await expect.poll(at).toBe('0')
    const first = frames.find((f) => f > 0)!
    await page.keyboard.press('.')
    await expect.poll(at).toBe(String(first))
    await page.getByRole('button', { name: 'Next event' }).click()
    await expect.poll(at).toBe(String(frames[frames.indexOf(first) + 1]))
    await page.keyboard.press(',')
    await expect.poll(at).toBe(String(first))
  })

  test('that cannot be computed with say why, and the scene shows the rest', async () => {
    const { id } = await pressed()
    const page = await open(`/captures/${id}`, { still: true, before: (page) => fault(page, /frames\?.*plate1_force/, 409, 'Force platform 1 cannot be computed with: it is saturated.') })
    await page.getByText('A force is not drawn: Force platform 1 cannot be computed with: it is saturated.').waitFor()
    await page.getByRole('group', { name: 'Camera' }).waitFor()
  })
})
