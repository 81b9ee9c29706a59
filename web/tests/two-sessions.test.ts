// Twelve gait trials of two sessions, from the list to a page: the knee angles of both legs and both sessions in one chart.
import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessible, open, picture, useBrowser } from './browser'
import { recorded, stepsCSV } from './motion'

/** trial is a walk with the knee angles of both legs, so many degrees greater than those of the first one. */
function trial(more: number): Buffer {
  const [before, after] = stepsCSV(17).toString().split('Model Outputs\n') as [string, string]
  const [rate, , , , ...rows] = after.split('\n')
  const events = rows.findIndex((r) => r.startsWith('Events'))
  const angles = rows.slice(0, events).map((r) => {
    const [frame, sub, x, y, z] = r.split(',')
    return frame ? [frame, sub, Number(x) + more, y, z, 60 - Number(x) / 2 + more, y, z].join(',') : r
  })
  const head = [rate, ',,Ann:LKneeAngles,,,Ann:RKneeAngles,,', 'Frame,Sub Frame,X,Y,Z,X,Y,Z', ',,deg,deg,deg,deg,deg,deg']
  return Buffer.from(`${before}Model Outputs\n${[...head, ...angles, ...rows.slice(events)].join('\n')}`)
}

describe('twelve gait trials of two sessions', () => {
  useBrowser()
  beforeAll(async () => {
    for (let i = 0; i < 12; i++)
      await recorded(`session ${String(i + 1).padStart(2, '0')}.csv`, trial(i), { activity: 'gait', movement: 'walking' }, `2026-0${i < 6 ? 1 : 3}-02T1${i % 6}:00:00.000Z`)
  })

  test('become one chart of mean and SD of both knees in both sessions, on paper, in fifteen acts', async () => {
    const page = await open('/captures')
    let acts = 0
    const click = async (what: Locator, how?: Parameters<Locator['click']>[0]) => { acts++; await what.click(how) }
    const choose = async (label: string, option: string | { label: string }) => { acts++; await page.getByRole('combobox', { name: label }).selectOption(option) }
    const type = async (what: Locator, text: string) => { acts++; await what.fill(text) }

    await type(page.getByRole('search').getByRole('searchbox'), 'session')
    await page.getByText('12 captures with these filters').waitFor()
    const box = (name: string) => page.getByRole('checkbox', { name: `Choose ${name}` })
    await click(box('session 12.csv'))
    await click(box('session 01.csv'), { modifiers: ['Shift'] })
    await page.getByText('12 captures chosen').waitFor()
    await click(page.getByRole('region', { name: 'Chosen captures' }).getByRole('link', { name: 'Compare' }))
    await type(page.getByRole('searchbox', { name: 'Search channels' }), 'kneeangles_x')
    await click(page.getByRole('checkbox', { name: /^LKneeAngles_x/ }))
    await click(page.getByRole('button', { name: 'with RKneeAngles_x' }))
    await choose('Along', 'cycles')
    await choose('Cycles of', 'own:foot strike')
    await choose('A mean for', 'day')
    await choose('Show', 'mean')
    await click(page.getByRole('button', { name: 'Report' }).or(page.getByRole('link', { name: 'Report' })))
    const legend = page.getByRole('list', { name: 'In the chart' })
    await expect.poll(() => legend.getByText(/^[LR]KneeAngles_x · 2 (Jan|Mar) 2026/).count()).toBe(4)
    await type(page.getByLabel('Title'), 'Knee angles')
    await page.getByLabel('Title').blur()
    await page.getByRole('heading', { name: 'Knee angles' }).waitFor()
    acts++ // “Print or save as PDF”
    const pdf = await page.pdf({ format: 'A4', printBackground: true })
    // Three minutes are twelve seconds for each of these.
    expect(acts).toBeLessThanOrEqual(15)
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBeLessThanOrEqual(2)
    expect(await page.locator('.figure path.area').count()).toBe(4)
    await accessible(page)
    await picture(page, 'two-sessions')
    // The means of the second session lie six degrees above those of the first one, as the trials do.
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV of means' }).click()])
    const means = new Map<string, number[]>()
    for (const row of readFileSync((await file.path())!, 'utf8').trim().split('\r\n').slice(1)) {
      const [group, , , mean] = row.split(',')
      means.set(group!, [...(means.get(group!) ?? []), Number(mean)])
    }
    expect(means.size).toBe(4)
    for (const knee of ['L', 'R']) {
      const [first, second] = ['2 Jan 2026', '2 Mar 2026'].map((day) => means.get(`${knee}KneeAngles_x · ${day}`)!)
      expect(first).toHaveLength(101)
      for (const [i, v] of first!.entries()) expect(second![i]! - v).toBeCloseTo(6, 9)
    }
  })
})
