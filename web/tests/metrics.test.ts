import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { accessible, edited, open, useBrowser } from './browser'
import { recorded, testOfRealFiles, walkTRC } from './motion'

describe('metrics of a recording', () => {
  useBrowser()

  test('are shown with their side and unit', async () => {
    const walk = await recorded('walk.trc', walkTRC())
    const page = await open(`/captures/${walk}`, { still: true, before: (page) => edited<{ metrics: object[] }>(page, /\/motion$/, (body) => {
      body.metrics = [{ name: 'Walking Speed', context: 'Left', subject: '', unit: 'm/s', description: 'Mean <b>speed</b>', value: 1.2345678 }]
    }) })
    const list = page.getByRole('region', { name: 'Metrics' })
    await list.getByText('Left Walking Speed').waitFor()
    await expect.poll(() => list.locator('dd').textContent()).toBe('1.23457 m/s')
    await accessible(page)
  })

  testOfRealFiles('are those of a real file', async (folder) => {
    const gait = await recorded('gait.c3d', readFileSync(join(folder, 'c3d', 'PiG_Motion-FlatFoot-Full.c3d')))
    const page = await open(`/captures/${gait}`, { still: true })
    await expect.poll(() => page.getByRole('region', { name: 'Metrics' }).locator('dd').count()).toBe(22)
  })
})
