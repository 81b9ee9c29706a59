import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { open, useBrowser } from './browser'
import { call, ready, recorded, shown, testOfRealFiles, walkTRC } from './motion'

describe('a capture', () => {
  useBrowser()

  test('looks the same as C3D and as TRC', async () => {
    const walk = await recorded('walk.trc', walkTRC())
    const c3d = await recorded('walk.c3d', new Uint8Array(await (await call('GET', `/captures/${walk}/file?format=c3d`)).arrayBuffer()))
    await alike(walk, c3d, [0, 30, 50, 119], ['LANK', 'RWRA', 'C7'])
  })

  testOfRealFiles('of a laboratory looks the same as C3D and as TRC', async (folder) => {
    const c3d = await recorded('Gait.c3d', readFileSync(join(folder, 'c3d', 'Gait.c3d')))
    const converted = await recorded('Gait-converted.trc', new Uint8Array(await (await call('GET', `/captures/${c3d}/file?format=trc`)).arrayBuffer()))
    await alike(c3d, converted, [160, 200, 300], ['RKNE', 'LTOE', 'C7'])
    // The laboratory's own TRC has other names, other gaps and is smoothed.
    const trc = await recorded('Gait.trc', readFileSync(join(folder, 'trc', 'Gait.trc')))
    const [one, two] = await Promise.all([c3d, trc].map(async (id) => {
      const page = await open(`/captures/${id}`, { still: true })
      await ready(page)
      await page.getByRole('slider', { name: 'Frame' }).fill('200')
      return page
    }))
    for (const [a, b] of [['RASI', 'R.ASIS'], ['LTOE', 'L.Toe'], ['C7', 'C7']] as const) {
      const [p, q] = [await shown(one!, a), await shown(two!, b)]
      expect(p).toHaveLength(3)
      p.forEach((v, i) => expect(Math.abs(v - q[i]!)).toBeLessThan(0.005))
    }
  })
})

/** alike holds two captures to showing the same: the places of points, and pictures but for single pixels. */
async function alike(a: string, b: string, rows: number[], points: string[]): Promise<void> {
  const views = await Promise.all([a, b].map(async (id) => {
    const page = await open(`/captures/${id}`, { still: true })
    await ready(page)
    await page.getByRole('combobox', { name: 'Up' }).selectOption('+z')
    const forces = page.getByRole('checkbox', { name: 'Forces' }) // which TRC cannot hold
    if (await forces.count()) await forces.uncheck()
    const places: number[][] = []
    const pictures: Buffer[] = []
    for (const row of rows) {
      await page.getByRole('combobox', { name: 'Point' }).selectOption('-1')
      await page.getByRole('slider', { name: 'Frame' }).fill(String(row))
      // The picture is that of the next frame of the screen.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      pictures.push(await page.locator('.stage-canvas').screenshot())
      for (const point of points) places.push(await shown(page, point))
    }
    return { page, places, pictures }
  }))
  const [one, two] = views as [(typeof views)[0], (typeof views)[0]]
  expect(one.places.flat().length).toBeGreaterThanOrEqual(2 * rows.length * points.length)
  one.places.forEach((place, i) => place.forEach((v, k) => expect(Math.abs(v - two.places[i]![k]!)).toBeLessThanOrEqual(0.001)))
  for (const [i, picture] of one.pictures.entries()) {
    const differ = await one.page.evaluate(async ([p, q]) => {
      const pixels = async (data: string) => {
        const image = new Image()
        image.src = `data:image/png;base64,${data}`
        await image.decode()
        const canvas = new OffscreenCanvas(image.width, image.height)
        const pen = canvas.getContext('2d')!
        pen.drawImage(image, 0, 0)
        return pen.getImageData(0, 0, image.width, image.height).data
      }
      const [x, y] = [await pixels(p!), await pixels(q!)]
      let n = 0
      for (let k = 0; k < x.length; k += 4) if (Math.abs(x[k]! - y[k]!) + Math.abs(x[k + 1]! - y[k + 1]!) + Math.abs(x[k + 2]! - y[k + 2]!) > 48) n++
      return (4 * n) / x.length
    }, [picture.toString('base64'), two.pictures[i]!.toString('base64')])
    expect(differ, `row ${rows[i]}`).toBeLessThan(0.002)
  }
}
