// The address of a capture has all that is seen: who is sent it sees the same frame, stretch of time and camera.
import { beforeAll, describe, expect, test } from 'vitest'
import { open, useBrowser } from './browser'
import { recorded, walkTRC } from './motion'
import { cameraText, seenOf } from '../src/screens/capture/seen'

let walk: string

describe('an address', () => {
  useBrowser()
  beforeAll(async () => {
    walk = await recorded('seen.trc', walkTRC())
  })

  test('that is not understood says nothing', () => {
    const of = (text: string) => seenOf(new URLSearchParams(text))
    const nothing = { frame: null, time: null, camera: null, up: null }
    for (const text of ['', 'frame=&time=&camera=', 'frame=-1', 'frame=1.5', 'frame=x', 'time=1', 'time=2,1', 'time=1,1', 'time=1,Infinity', 'camera=1,2,3', 'camera=1,2,3,4,5,6,x', 'up=z']) expect(of(text), text).toEqual(nothing)
    expect(of('frame=0&time=-1,2.5&camera=1,2,3,4,5,6,1&up=-y')).toEqual({ frame: 0, time: [-1, 2.5], camera: [1, 2, 3, 4, 5, 6, 1], up: '-y' })
    expect(cameraText([1 / 3, -12345.678, 0, 0, 0, 0, 1])).toBe('0.33333,-12346,0,0,0,0,1')
  })

  test('shows the frame, the time and the picture that were seen', async () => {
    const page = await open(`/captures/${walk}?plot=LANK&numbers=1`, { still: true })
    const camera = page.getByRole('group', { name: 'Camera' })
    await camera.waitFor()
    await page.getByRole('slider', { name: 'Frame' }).fill('70')
    await camera.getByRole('button', { name: 'Left', exact: true }).click()
    await page.locator('.stage-canvas').hover()
    await page.mouse.wheel(0, -300)
    await page.getByRole('button', { name: 'Show less time' }).click()
    await page.waitForURL((u) => ['frame', 'time', 'camera'].every((n) => u.searchParams.has(n)))
    expect(new URL(page.url()).searchParams.get('frame')).toBe('70')
    // A picture of the scene as it stands still, as paper has it.
    const scene = async (p: typeof page) => {
      await p.evaluate(async () => { for (let n = 0; n < 30; n++) await new Promise(requestAnimationFrame); dispatchEvent(new Event('beforeprint')) })
      return p.evaluate(() => {
        const c = document.querySelector<HTMLCanvasElement>('.stage-print')!
        const small = Object.assign(document.createElement('canvas'), { width: 160, height: 100 })
        const pen = small.getContext('2d')!
        pen.drawImage(c, 0, 0, 160, 100)
        return [...pen.getImageData(0, 0, 160, 100).data]
      })
    }
    const rows = page.getByRole('table', { name: 'LANK in the time shown' })
    const [seen, numbers] = [await scene(page), await rows.innerText()]
    await page.waitForFunction(() => new Promise((done) => { const at = location.href; setTimeout(() => done(at === location.href), 300) }))
    const other = await open(new URL(page.url()).pathname + new URL(page.url()).search)
    await other.getByRole('group', { name: 'Camera' }).waitFor()
    expect(await other.getByRole('slider', { name: 'Frame' }).inputValue()).toBe('70')
    await expect.poll(() => other.getByRole('table', { name: 'LANK in the time shown' }).innerText()).toBe(numbers)
    const again = await scene(other)
    expect(again.length).toBe(seen.length)
    const differing = again.filter((v, i) => Math.abs(v - seen[i]!) > 24).length
    expect(differing / again.length).toBeLessThan(0.003)
    // The picture tells another camera apart.
    await other.getByRole('group', { name: 'Camera' }).getByRole('button', { name: 'Front', exact: true }).click()
    const front = await scene(other)
    expect(front.filter((v, i) => Math.abs(v - seen[i]!) > 24).length / front.length).toBeGreaterThan(0.003)
  })
})
