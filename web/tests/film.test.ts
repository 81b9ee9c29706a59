// The video of a capture: alone, and in step with the motion that was made of it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Motion } from '../src/screens/capture/types'
import { accessible, open, picture, useBrowser } from './browser'
import { call, demo, ready, recorded, testOfRealFiles } from './motion'

describe('a capture', () => {
  useBrowser()

  testOfRealFiles('that is a video plays it', async (folder) => {
    const id = await recorded('cam01.mp4', readFileSync(join(folder, 'mp4', 'cam01.mp4')))
    const page = await open(`/captures/${id}`)
    await page.getByText('no pose estimator').waitFor()
    const video = page.locator('video')
    // A Chromium that lacks the codec says so instead.
    await expect.poll(async () => (await page.getByText('cannot play the video').count()) || (await video.evaluate((v) => (v as HTMLVideoElement).videoWidth))).toBeGreaterThan(0)
    await accessible(page)
  })

  testOfRealFiles('that is a video of which motion was made shows both in step, with the skeleton over the picture', async (folder) => {
    const film = await recorded('film.mp4', readFileSync(join(folder, 'mp4', 'cam01.mp4')))
    const jump = await demo('golf', 'golf_left.c3d')
    const page = await open('/captures', { still: true })
    // The motion of a recording of the demo stands for that which a video processor makes.
    const of = async (id: string) => (await (await call('GET', `/captures/${id}/motion`)).json()) as Motion
    const [video, motion] = [await of(film), await of(jump)]
    const places = motion.channels.filter((c) => c.kind === 'point').flatMap((c) => ['u', 'v'].map((axis, i) =>
      ({ ...c, kind: 'analog', unit: 'px', name: `${c.name}_${axis}`, columns: [c.columns[i]] })))
    await page.route(`**/captures/${film}/motion`, (route) => route.fulfill({ json: { ...motion, video: video.video, channels: [...motion.channels, ...places] } }))
    await page.route(`**/captures/${film}/frames?*`, (route) => route.continue({ url: route.request().url().replace(film, jump) }))
    await page.goto(new URL(`/captures/${film}`, page.url()).href)
    await ready(page)
    const shown = page.locator('video')
    await expect.poll(async () => (await page.getByText('cannot play the video').count()) || (await shown.evaluate((v) => (v as HTMLVideoElement).videoWidth))).toBeGreaterThan(0)
    const time = () => shown.evaluate((v) => (v as HTMLVideoElement).currentTime)
    if ((await page.getByText('cannot play the video').count()) === 0) {
      for (const row of [40, 90, 10]) {
        await page.getByRole('slider', { name: 'Frame' }).fill(String(row))
        await expect.poll(time).toBeCloseTo((row + 0.5) / (motion.rate ?? 0), 2)
      }
      await expect.poll(async () => Number(await page.locator('.film-over').getAttribute('data-lines'))).toBeGreaterThan(5)
      await page.getByLabel('Skeleton').uncheck()
      expect(await page.locator('.film-over').count()).toBe(0)
    }
    await accessible(page)
    await picture(page, 'capture-film')

    // Of several cameras each has its own clock and its own places.
    const ahead = motion.channels.find((c) => c.kind === 'point')!.columns[2]!
    const { columns } = (await (await call('GET', `/captures/${jump}/frames?channels=${ahead}&to=1`)).json()) as { columns: Record<string, number[]> }
    const first = columns[ahead]![0]!
    const clock = { ...motion.channels[0]!, kind: 'analog', unit: 's', name: 'sync_offset_film', columns: [ahead] }
    await page.route(`**/captures/${jump}/motion`, (route) => route.fulfill({ json: { ...motion, channels: [...motion.channels, ...places.map((c) => ({ ...c, name: `${c.name}_1` })), clock] } }))
    await page.route(`**/captures/${jump}/file`, (route) => route.fulfill({ json: { videos: [{ session_id: film }] } }))
    await page.goto(new URL(`/captures/${jump}`, page.url()).href)
    await ready(page)
    await page.getByRole('combobox', { name: 'Camera' }).waitFor()
    if ((await page.getByText('cannot play the video').count()) === 0) {
      await page.getByRole('slider', { name: 'Frame' }).fill('20')
      await expect.poll(time).toBeCloseTo(20.5 / (motion.rate ?? 0) + first, 2)
      await expect.poll(async () => Number(await page.locator('.film-over').getAttribute('data-lines'))).toBeGreaterThan(5)
    }
  })
})
