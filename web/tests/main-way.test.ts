// The main way through the console in Firefox: sign in, find a capture, play it, plot it, save its numbers, compare.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { served } from './browser'
import { Firefox, program } from './firefox'
import { call, recorded, stepsCSV, walkCSV } from './motion'

const needed = program !== undefined || process.env.CI === 'true'
const enter = '\uE007'

const has = (text: string) => document.body.innerText.includes(text)

describe.skipIf(!needed)('in Firefox', () => {
  let firefox: Firefox
  let walks: [string, string]

  beforeAll(async () => {
    walks = [await recorded('fire one.csv', stepsCSV(8)), await recorded('fire two.csv', walkCSV())]
    firefox = await Firefox.start()
  })
  afterAll(async () => firefox?.close())

  test('one signs in, finds a capture, plays and plots it, and saves its numbers', async () => {
    await firefox.goto(`${served.url}/captures?q=fire`)
    await firefox.click('input', 'Token')
    await firefox.type(served.token + enter)
    await firefox.click('td div', 'fire one.csv')
    await firefox.until((path) => location.pathname === path, `/captures/${encodeURIComponent(walks[0])}`)
    // The first picture of the scene is on the screen, and the player goes on by itself.
    await firefox.until(() => performance.getEntriesByName('capture-shown').length > 0 && performance.getEntriesByName('capture-loaded').length > 0)
    const frame = () => Number((document.querySelector('input[aria-label="Frame"]') as HTMLInputElement).value)
    const first = await firefox.evaluate(frame)
    await firefox.until((from) => Number((document.querySelector('input[aria-label="Frame"]') as HTMLInputElement).value) !== from, first)
    await firefox.click('button', 'Pause')
    await firefox.find('button', 'Play')
    // Something is drawn in the scene, and more than one colour in the plot.
    const drawn = await firefox.evaluate(() => {
      const plot = document.querySelector<HTMLCanvasElement>('.plot canvas')!
      const dots = plot.getContext('2d')!.getImageData(0, 0, plot.width, plot.height).data
      return new Set(Array.from({ length: dots.length / 4 }, (_, i) => (dots[4 * i + 3]! > 200 ? dots[4 * i]! : -1))).size
    })
    expect(drawn).toBeGreaterThan(3)
    if (process.env.SHOTS) {
      const shots = new URL('../shots/', import.meta.url).pathname
      mkdirSync(shots, { recursive: true })
      writeFileSync(`${shots}firefox-capture.png`, await firefox.screenshot())
    }
    const path = await firefox.downloaded(() => firefox.click('button', 'CSV of LKneeAngles'))
    const lines = readFileSync(path, 'utf8').trim().split('\r\n')
    const answer = (await (await call('GET', `/captures/${walks[0]}/frames?channels=LKneeAngles`)).json()) as { columns: Record<string, number[]> }
    expect(lines[0]).toBe('time,LKneeAngles_x,LKneeAngles_y,LKneeAngles_z')
    expect(lines.slice(1).map((l) => Number(l.split(',')[1]))).toEqual(answer.columns.LKneeAngles_x)
  })

  test('one compares two captures, as lines and as figures', async () => {
    await firefox.goto(`${served.url}/compare?capture=${walks[0]}&capture=${walks[1]}&column=LKneeAngles_x&over=frames`)
    await firefox.until(() => document.querySelectorAll('.figure path.line').length > 2)
    const path = await firefox.downloaded(() => firefox.click('button', 'CSV of means'))
    expect(readFileSync(path, 'utf8').split('\r\n').length).toBeGreaterThan(100)
    await firefox.click('button', 'Two figures in one scene')
    await firefox.until(() => performance.getEntriesByName('figures-shown').length > 0)
    await firefox.until(has, 'the pelvises are 0 mm apart')
    await firefox.click('button', 'One frame on')
    await firefox.until(has, '0.010 s, frame 1')
    expect(firefox.faults).toEqual([])
  })
})
