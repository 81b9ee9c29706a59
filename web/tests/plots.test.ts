// Plots: the line of the time that is shown, zooming by mouse, keys, buttons and fingers, and the names of events.
import type { CDPSession, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessible, open, picture, useBrowser } from './browser'
import { frames, rate, recorded, stepsCSV, turned, walkCSV, walkTRC } from './motion'

let lab: string

/** still opens a capture that does not play, with its first plot drawn. */
async function still(path: string, options: Parameters<typeof open>[1] = {}): Promise<Page> {
  const page = await open(path, { ...options, still: true })
  await page.getByRole('group', { name: 'Camera' }).waitFor()
  await page.locator('.plot-host[data-points]').first().waitFor()
  return page
}

/** drawn waits for pictures that are due. */
const drawn = (page: Page) => page.evaluate(async () => { for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame) })

/** playhead measures where the line of the time stands, as a part of the width of the plot, in each of them. */
const playhead = (page: Page) => page.locator('.u-over').evaluateAll((all) => all.map((over) => {
  const box = over.getBoundingClientRect()
  const line = over.querySelector<HTMLElement>('.plot-now')!
  return line.style.visibility === 'hidden' ? null : (line.getBoundingClientRect().left + 1 - box.left) / box.width
}))

/** fingers puts fingers on the page, moves them in steps, and takes them away. */
async function fingers(cdp: CDPSession, from: [number, number][], to: [number, number][], steps = 8): Promise<void> {
  const at = (part: number) => from.map(([x, y], i) => ({ x: x + (to[i]![0] - x) * part, y: y + (to[i]![1] - y) * part, id: i }))
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
  for (let n = 1; n <= steps; n++) await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(n / steps) })
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

describe('plots', () => {
  useBrowser()

  beforeAll(async () => { lab = await recorded('lab.csv', walkCSV(), { activity: 'jump', movement: 'squat' }) })

  test('have the line of the time where it belongs, whatever stretch of time they show', async () => {
    const page = await still(`/captures/${lab}?plot=LKneeAngles&plot=LASI`)
    await page.locator('.plot-host[data-points]').nth(1).waitFor()
    const time = 60 / rate
    const last = (frames - 1) / rate
    await page.getByRole('slider', { name: 'Frame' }).fill('60')
    const stands = async (from: number, to: number) => {
      await drawn(page)
      for (const at of await playhead(page)) expect(Math.abs(at! - (time - from) / (to - from))).toBeLessThan(0.006)
    }
    await stands(0, last)
    await page.locator('.u-over').first().scrollIntoViewIfNeeded()
    // A drag shows a part: the line stands at once where its time is there.
    const box = (await page.locator('.u-over').first().boundingBox())!
    await page.mouse.move(box.x + box.width * 0.4, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.8, box.y + 40, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Show all of the time' }).waitFor()
    await stands(last * 0.4, last * 0.8)
    await page.getByRole('button', { name: 'Show less time' }).click()
    await drawn(page)
    const near = await playhead(page)
    await page.getByRole('button', { name: 'Show all of the time' }).click()
    await stands(0, last)
    expect(near[0]).not.toBe(null)
    // Another width of the window, and a time that is not seen.
    await page.setViewportSize({ width: 900, height: 900 })
    await stands(0, last)
    await page.locator('.u-over').first().scrollIntoViewIfNeeded()
    const narrow = (await page.locator('.u-over').first().boundingBox())!
    await page.mouse.move(narrow.x + narrow.width * 0.6, narrow.y + 40)
    await page.mouse.down()
    await page.mouse.move(narrow.x + narrow.width * 0.9, narrow.y + 40, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Show all of the time' }).waitFor()
    await drawn(page)
    expect(await playhead(page)).toEqual([null, null])
  })

  test('have all the digits of numbers that 32 bits cannot hold', async () => {
    const rows = Array.from({ length: 50 }, (_, i) => [(i / 100).toFixed(2), (48.1374321 + i * 2e-7).toFixed(7), String(1_778_664_600_123 + 10 * i), (691_607.125 + i / 1000).toFixed(3), (5_334_760.25 + i / 500).toFixed(3), '1.5'].join())
    const id = await recorded('far.csv', Buffer.from(`time,latitude,clock,mast_x [m],mast_y [m],mast_z [m]\n${rows.join('\n')}\n`), { activity: 'jump', movement: 'squat' })
    const page = await still(`/captures/${id}?plot=latitude&plot=clock&plot=mast`)
    await page.locator('.plot-host[data-points]').nth(2).waitFor()
    await page.getByRole('slider', { name: 'Frame' }).fill('30')
    const shown = (name: string) => page.getByRole('figure', { name: `Course of ${name}` }).locator('.series .mono').allTextContents()
    await expect.poll(() => shown('latitude')).toEqual(['48.1374381'])
    await expect.poll(() => shown('clock')).toEqual(['1778664600423'])
    await expect.poll(() => shown('mast')).toEqual(['691607.155', '5334760.31', '1.5'])
    await picture(page, 'plots-wide')
  })

  test('show less and more time by buttons that the keyboard reaches', async () => {
    const page = await still(`/captures/${lab}?plot=LKneeAngles`)
    const less = page.getByRole('button', { name: 'Show less time' })
    await less.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const more = page.getByRole('button', { name: 'Show more time' })
    await more.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Show all of the time' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Show all of the time' }).waitFor({ state: 'detached' })
  })

  test('name each of twelve events, left and right in colours of their own', async () => {
    const id = await recorded('steps.csv', stepsCSV(12), { activity: 'walking', movement: 'barefoot' })
    for (const width of [1280, 390]) {
      const page = await still(`/captures/${id}?plot=LASI`, { width })
      const host = page.locator('.plot-host')
      await expect.poll(() => host.getAttribute('data-named')).toBe('12')
      const colours = await host.locator('canvas').evaluate((c: HTMLCanvasElement) => {
        const style = getComputedStyle(document.documentElement)
        const wanted = ['--left', '--right'].map((n) => style.getPropertyValue(n).trim())
        const { data } = c.getContext('2d')!.getImageData(0, 0, c.width, c.height)
        return wanted.map((hex) => {
          const n = parseInt(hex.slice(1), 16)
          let found = 0
          for (let i = 0; i < data.length; i += 4) if (data[i] === n >> 16 && data[i + 1] === ((n >> 8) & 255) && data[i + 2] === (n & 255)) found++
          return found
        })
      })
      for (const n of colours) expect(n).toBeGreaterThan(100)
      await page.locator('.plots').scrollIntoViewIfNeeded()
      await accessible(page)
      await picture(page, `events-${width}`)
    }
  })

  test('are zoomed by two fingers and gone along by one, and the page scrolls over them and over the scene', async () => {
    const page = await still(`/captures/${lab}?plot=LKneeAngles`, { width: 390, height: 844, touch: true })
    const cdp = await page.context().newCDPSession(page)
    const over = page.locator('.u-over')
    await over.scrollIntoViewIfNeeded()
    const box = (await over.boundingBox())!
    await page.getByText('Two fingers zoom, one goes along the time').waitFor()
    const y = box.y + box.height / 2
    const x = (part: number) => box.x + box.width * part
    const frame = async () => Number((await page.locator('.player-frame').textContent())!.split(' ')[0])
    await fingers(cdp, [[x(0.1), y]], [[x(0.5), y]])
    await expect.poll(frame).toBeGreaterThan(50)
    expect(await frame()).toBeLessThan(70)
    await fingers(cdp, [[x(0.4), y], [x(0.6), y]], [[x(0.1), y], [x(0.9), y]])
    await page.getByRole('button', { name: 'Show all of the time' }).waitFor()
    await drawn(page)
    // A quarter is seen: the middle has stayed, and so has the line of the time.
    expect(Math.abs((await playhead(page))[0]! - 0.5)).toBeLessThan(0.12)
    await picture(page, 'plots-phone')

    for (const area of [over, page.locator('.stage-canvas')]) {
      await area.evaluate((e) => e.scrollIntoView({ block: 'center' }))
      const before = await page.evaluate(() => scrollY)
      const at = (await area.boundingBox())!
      const middle: [number, number] = [at.x + at.width / 2, at.y + at.height / 2]
      await fingers(cdp, [middle], [[middle[0], middle[1] - 150]])
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before + 50)
    }
  })
})

describe('the scene', () => {
  useBrowser()

  test('turns under one finger that goes sideways', async () => {
    const page = await still(`/captures/${lab}?plot=LASI`, { width: 390, height: 844, touch: true })
    const cdp = await page.context().newCDPSession(page)
    const canvas = page.locator('.stage-canvas')
    await canvas.evaluate((e) => e.scrollIntoView({ block: 'center' }))
    const box = (await canvas.boundingBox())!
    const before = await canvas.screenshot()
    const y = box.y + box.height / 2
    await fingers(cdp, [[box.x + 60, y]], [[box.x + 260, y]])
    await drawn(page)
    expect((await canvas.screenshot()).equals(before)).toBe(false)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  /** centres measures where the colours of left and right lie across the picture, and how high they reach together, from 0 to 1. */
  const centres = (page: Page) => page.locator('.stage-canvas').screenshot().then((shot) => page.evaluate(async (data) => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    const pen = canvas.getContext('2d')!
    pen.drawImage(image, 0, 0)
    const { data: dots } = pen.getImageData(0, 0, image.width, image.height)
    const sum = { left: 0, right: 0, lefts: 0, rights: 0, first: image.height, last: 0 }
    for (let i = 0; i < dots.length; i += 4) {
      const [r, , b] = [dots[i]!, dots[i + 1]!, dots[i + 2]!]
      const x = ((i / 4) % image.width) / image.width
      const y = Math.floor(i / 4 / image.width)
      if (r > b + 60) { sum.left += x; sum.lefts++ }
      if (b > r + 60) { sum.right += x; sum.rights++ }
      if (Math.abs(r - b) > 60) Object.assign(sum, { first: Math.min(sum.first, y), last: y })
    }
    return { left: sum.left / sum.lefts, right: sum.right / sum.rights, lefts: sum.lefts, rights: sum.rights, high: (sum.last - sum.first) / image.height }
  }, shot.toString('base64')))

  test('shows the face for Front and the right for Right, whichever way the subject stands in the laboratory', async () => {
    for (const degrees of [0, 90, 200]) {
      const id = await recorded(`turned-${degrees}.trc`, turned(degrees))
      const page = await still(`/captures/${id}?plot=LASI`)
      await page.getByRole('slider', { name: 'Frame' }).fill('50')
      await page.getByRole('button', { name: 'Front' }).click()
      await drawn(page)
      const front = await centres(page)
      // Who is seen from before has the left at the right of the picture, well apart.
      expect(front.left - front.right, `${degrees}`).toBeGreaterThan(0.03)
      if (degrees === 90) await picture(page, 'facing-front')
      await page.getByRole('button', { name: 'Right', exact: true }).click()
      await drawn(page)
      const side = await centres(page)
      expect(Math.abs(side.left - side.right), `${degrees}`).toBeLessThan(0.03)
      // The right is the nearer one, and hides more of the left than the other way round.
      expect(side.rights).toBeGreaterThan(side.lefts)
      await page.getByRole('button', { name: 'Left', exact: true }).click()
      await drawn(page)
      const other = await centres(page)
      expect(other.lefts).toBeGreaterThan(other.rights)
      await page.getByRole('button', { name: 'Back', exact: true }).click()
      await drawn(page)
      const back = await centres(page)
      expect(back.right - back.left, `${degrees}`).toBeGreaterThan(0.03)
      expect(await page.locator('.stage-axes').count()).toBe(0)
    }
  })

  test('keeps the pelvis in the middle with Follow, shows from above with Top, and says how large the squares of the floor are', async () => {
    const page = await still(`/captures/${await recorded('goes.trc', walkTRC())}?plot=LASI`)
    const camera = page.getByRole('group', { name: 'Camera' })
    const follow = camera.getByRole('button', { name: 'Follow' })
    const middles = async () => {
      const all: number[] = []
      for (const frame of [10, frames - 10]) {
        await page.getByRole('slider', { name: 'Frame' }).fill(String(frame))
        await drawn(page)
        const { left, right } = await centres(page)
        all.push((left + right) / 2)
      }
      return all
    }
    if ((await follow.getAttribute('aria-pressed')) === 'true') await follow.click()
    await camera.getByRole('button', { name: 'Whole' }).click()
    await camera.getByRole('button', { name: 'Left', exact: true }).click()
    const [begun, ended] = await middles()
    // The walk is 1.2 m long: without Follow it goes through the picture.
    expect(Math.abs(ended! - begun!)).toBeGreaterThan(0.15)
    await follow.click()
    expect(await follow.getAttribute('aria-pressed')).toBe('true')
    for (const middle of await middles()) expect(Math.abs(middle - 0.5)).toBeLessThan(0.05)

    // From above somebody with swinging arms is not as high as from the side.
    const side = await centres(page)
    await camera.getByRole('button', { name: 'Top' }).click()
    await drawn(page)
    const top = await centres(page)
    expect(side.high).toBeGreaterThan(0.3)
    expect(top.high).toBeLessThan(0.85 * side.high)
    expect(await page.locator('.stage-scale').innerText()).toMatch(/^A square is (10|20|25|50) cm$|^A square is 1 m$/)
  })

  test('names the axes of the laboratory where no point says what is left and right', async () => {
    const id = await recorded('swarm.csv', Buffer.from(`time,A_x,A_y,A_z,B_x,B_y,B_z\n${Array.from({ length: 20 }, (_, i) => `${i / 100},${i / 50},0,1,0.5,${i / 40},0.5`).join('\n')}\n`))
    const page = await open(`/captures/${id}`)
    await page.getByRole('group', { name: 'Camera' }).waitFor()
    await page.getByText(/Front looks from [+−][XYZ], Right from [+−][XYZ] of the laboratory/).waitFor()
    await accessible(page)
    await picture(page, 'facing-unknown')
  })
})
