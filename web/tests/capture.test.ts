import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessible, fault, open, picture, served, useBrowser } from './browser'
import { call, demo, frames, gap, peak, ready, recorded, reserve, send, shown, walkCSV, walkTRC } from './motion'

let walk: string // as TRC
const force = encodeURIComponent('Force Plate - Force Fz')
let lab: string // as CSV, with forces, an angle and events

const frame = (page: Page) => page.locator('.player-frame').textContent()
/** pause stops what plays by itself as soon as it is there. */
const pause = (page: Page) => page.getByRole('button', { name: 'Pause' }).click()

describe('a capture', () => {
  useBrowser()

  beforeAll(async () => {
    walk = await recorded('walk.trc', walkTRC())
    lab = await recorded('lab.csv', walkCSV(), { activity: 'jump', movement: 'squat' })
  })

  test('is shown in three dimensions, plays, steps and is scrubbed', async () => {
    const page = await open(`/captures/${walk}`)
    await ready(page)
    // Where nobody asks for less motion it plays by itself.
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await expect.poll(() => frame(page)).not.toBe(`0 / ${frames - 1}`)
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await page.keyboard.press('Home')
    await expect.poll(() => frame(page)).toBe(`0 / ${frames - 1}`)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => frame(page)).toBe(`2 / ${frames - 1}`)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => frame(page)).toBe(`1 / ${frames - 1}`)
    await page.keyboard.press('End')
    await expect.poll(() => frame(page)).toBe(`${frames - 1} / ${frames - 1}`)
    await page.getByRole('slider', { name: 'Frame' }).fill('30')
    await expect.poll(() => frame(page)).toBe(`30 / ${frames - 1}`)
    await expect.poll(() => page.locator('.player-time').textContent()).toBe('0.300 s')
    // At row 30 the left ankle has the place that the file says, in metres.
    const rows = (await (await call('GET', `/captures/${walk}/frames?channels=LANK&from=30&to=31`)).json()) as { columns: Record<string, number[]> }
    await expect.poll(() => shown(page, 'LANK')).toEqual(['LANK_x', 'LANK_y', 'LANK_z'].map((c) => Number(rows.columns[c]![0]!.toFixed(3))))
    await expect.poll(() => page.getByRole('img', { name: /3D view of 26 points and \d\d bones/ }).count()).toBe(1)
    await page.getByRole('combobox', { name: 'Point' }).selectOption('-1')
    await picture(page, 'capture')
  })

  test('stands still at first for who wants less motion', async () => {
    const page = await open(`/captures/${walk}`, { still: true })
    await ready(page)
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await expect.poll(() => frame(page)).toBe(`0 / ${frames - 1}`)
  })

  test('has no fault of accessibility, with every part open', async () => {
    const page = await open(`/captures/${lab}?plot=${force}&plot=LKneeAngles&plot=LASI`, { still: true, height: 1800 })
    await ready(page)
    await page.locator('.plot-host[data-points]').nth(2).waitFor()
    await accessible(page)
    await picture(page, 'capture-plots')
    await page.getByText('Download', { exact: true }).click()
    await accessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Correct', exact: true }).click()
    await accessible(page)
    await picture(page, 'capture-correct')
  })

  test('is plotted: channels are found, chosen, kept in the address, and closed', async () => {
    const page = await open(`/captures/${lab}`, { still: true })
    await ready(page)
    await page.getByRole('searchbox', { name: 'Search channels' }).fill('force fz')
    await page.getByRole('checkbox', { name: /Force Fz/ }).check()
    const plot = page.getByRole('figure', { name: 'Course of Force Plate - Force Fz in N' })
    await plot.locator('canvas').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.getAll('plot')).toEqual(['LKneeAngles', 'Force Plate - Force Fz'])
    await page.reload()
    await plot.locator('canvas').waitFor()
    await page.getByRole('button', { name: 'Close the plot of Force Plate - Force Fz' }).click()
    await expect.poll(() => plot.count()).toBe(0)
    await page.getByRole('button', { name: 'Close the plot of LKneeAngles' }).click()
    await page.getByText('Choose channels under “Channels”').waitFor()
  })

  test('of a single frame has plots, in which its values are seen', async () => {
    const id = await recorded('moment.csv', Buffer.from('time,Fz\n0,700\n'))
    const page = await open(`/captures/${id}?plot=Fz`)
    const canvas = page.getByRole('figure', { name: 'Course of Fz' }).locator('canvas')
    // Points are filled with their series' colour, which nothing else is drawn in.
    const coloured = () => canvas.evaluate((c: HTMLCanvasElement) => {
      const dots = c.getContext('2d')!.getImageData(0, 0, c.width, c.height).data
      let n = 0
      for (let i = 0; i < dots.length; i += 4) if (dots[i + 3]! > 128 && Math.max(dots[i]!, dots[i + 1]!, dots[i + 2]!) - Math.min(dots[i]!, dots[i + 1]!, dots[i + 2]!) > 80) n++
      return n
    })
    await expect.poll(coloured).toBeGreaterThan(4)
  })

  test('lists its channels in groups: those with a plot open and first, the others closed', async () => {
    const page = await open(`/captures/${lab}`, { still: true })
    await ready(page)
    const groups = page.locator('.channels details')
    await expect.poll(async () => [...(await groups.evaluateAll((all) => all.map((g) => (g as HTMLDetailsElement).open))).entries()].filter(([, open]) => open).map(([n]) => n)).toEqual([0])
    await expect.poll(() => groups.first().locator('summary').textContent()).toMatch(/^Angles/)
    await expect.poll(() => groups.first().getByRole('checkbox').first().isChecked()).toBe(true)
    // A tick moves nothing and closes nothing, and what is searched for is seen wherever it is.
    await page.getByRole('checkbox', { name: 'LKneeAngles' }).uncheck()
    await page.getByRole('checkbox', { name: 'LKneeAngles' }).check()
    await page.getByRole('searchbox', { name: 'Search channels' }).fill('lasi')
    await page.getByRole('checkbox', { name: 'LASI' }).check()
    await page.getByRole('searchbox', { name: 'Search channels' }).fill('')
    await expect.poll(() => groups.filter({ hasText: 'Points' }).getAttribute('open')).not.toBe(null)
  })

  test('is gone to by a click into a plot, zoomed by a drag, and whole again by a double click', async () => {
    const page = await open(`/captures/${lab}?plot=LKneeAngles`, { still: true })
    await ready(page)
    await page.locator('.plot-host[data-points]').waitFor()
    const over = page.locator('.u-over')
    await over.scrollIntoViewIfNeeded()
    const box = (await over.boundingBox())!
    await page.mouse.click(box.x + box.width / 2, box.y + 40)
    await expect.poll(() => frame(page)).toMatch(/^(59|60) \//)
    await page.mouse.move(box.x + box.width * 0.25, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Show all of the time' }).waitFor()
    // What is seen is now a quarter: its middle is another time.
    await page.mouse.click(box.x + box.width / 2, box.y + 40)
    await expect.poll(async () => Number((await frame(page))!.split(' ')[0])).toBeLessThan(50)
    await over.dblclick()
    await expect.poll(() => page.getByRole('button', { name: 'Show all of the time' }).count()).toBe(0)
  })

  test('shows analog channels at their own rate, and by frame when that is wanted', async () => {
    const page = await open(`/captures/${lab}?plot=${force}`, { still: true })
    await ready(page)
    const host = page.locator('.plot-host')
    await expect.poll(() => host.getAttribute('data-points')).toBe(String(frames * 10))
    // The peak lies between two frames: only the samples have it.
    await page.keyboard.press('Home')
    const value = page.locator('.plot .series .mono')
    await page.getByRole('checkbox', { name: /All 1000 Hz/ }).uncheck()
    await expect.poll(() => host.getAttribute('data-points')).toBe(String(frames))
    await page.getByText('now the first sample of each frame').waitFor()
    const samples = (await (await call('GET', `/captures/${lab}/frames?channels=${force}&rows=samples&from=333&to=334`)).json()) as { columns: Record<string, number[]> }
    expect(samples.columns['Force Plate - Force Fz']).toEqual([peak])
    await expect.poll(() => value.textContent()).toBe('0')
  })

  test('has events: lines in the plots, and a list that leads to them', async () => {
    const page = await open(`/captures/${lab}`)
    await ready(page)
    await page.getByRole('button', { name: /Foot Strike/ }).click()
    const at = (await (await call('GET', `/captures/${lab}/motion`)).json()) as { events: { frame: number; label: string }[] }
    await expect.poll(() => frame(page)).toBe(`${at.events.find((e) => e.label === 'Foot Strike')!.frame} / ${frames - 1}`)
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  })

  test('says where a point was not seen', async () => {
    const page = await open(`/captures/${walk}`, { still: true })
    await ready(page)
    await page.getByRole('slider', { name: 'Frame' }).fill(String(gap.from + 5))
    await expect.poll(() => shown(page, gap.marker)).toEqual([])
    await expect.poll(() => page.locator('.stage-chosen span').textContent()).toBe('not seen here')
    await page.getByRole('slider', { name: 'Frame' }).fill(String(gap.to))
    await expect.poll(() => shown(page, gap.marker)).toHaveLength(3)
    const part = ((100 * (gap.to - gap.from)) / frames).toFixed(1)
    await page.getByRole('searchbox', { name: 'Search channels' }).fill(gap.marker)
    await page.getByRole('cell', { name: `${part} %` }).waitFor()
  })

  test('is corrected: the rules stand beside their fields, and the rate counts at once', async () => {
    const id = await recorded('wrong.trc', walkTRC(), { activity: 'baseball', movement: 'hitting' })
    const page = await open(`/captures/${id}`, { still: true })
    await ready(page)
    await page.getByRole('button', { name: 'Correct', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Frames a second').fill('-5')
    await dialog.getByLabel('Bat length').fill('33.5')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Must be a number from 0.001 to 1000000').waitFor()
    await expect.poll(() => dialog.getByLabel('Frames a second').getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => dialog.getByLabel('Bat length').getAttribute('aria-invalid')).toBe(null)
    await dialog.getByLabel('Frames a second').fill('50')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('The capture was corrected.').waitFor()
    await page.locator('.summary').getByText('2.400 s').waitFor()
    await page.getByText('33.5').waitFor()
    expect(((await (await call('GET', `/captures/${id}`)).json()) as { bat_length: string; fps_detected: number })).toMatchObject({ bat_length: '33.5' })
  })

  test('is linked to an athlete and unlinked', async () => {
    const id = await recorded('whose.trc', walkTRC())
    const made = (await (await call('POST', '/athletes', { first_name: 'Zoë <b>', last_name: 'אבג 🏃' })).json()) as { athlete: { id: string } }
    const page = await open(`/captures/${id}`, { still: true })
    await page.getByRole('button', { name: 'Link an athlete' }).click()
    await page.getByRole('combobox', { name: 'Link an athlete' }).fill('zoë')
    await page.getByRole('option', { name: 'Zoë <b>' }).click()
    await page.locator('.summary').getByText('Zoë <b> אבג 🏃').waitFor()
    expect((await (await call('GET', `/captures/${id}`)).json()) as object).toMatchObject({ athlete_id: made.athlete.id })
    // The dialog stays, so that another one is linked, too, and the first one unlinked.
    const other = (await (await call('POST', '/athletes', { first_name: 'Ines', last_name: 'Ødegård' })).json()) as { athlete: { id: string } }
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').fill('Ødeg')
    await dialog.getByRole('option', { name: 'Ines Ødegård' }).waitFor()
    await dialog.getByRole('combobox').press('Enter')
    await expect.poll(() => dialog.getByRole('list', { name: 'Linked' }).getByRole('listitem').count()).toBe(2)
    await accessible(page)
    await picture(page, 'capture-athletes')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.locator('.summary').getByText('Zoë <b> אבג 🏃, Ines Ødegård').waitFor()
    await expect.poll(() => page.locator('.facts').getByRole('link').allTextContents()).toEqual(['Zoë <b> אבג 🏃', 'Ines Ødegård'])
    await page.getByRole('button', { name: 'Athletes', exact: true }).click()
    await dialog.getByRole('button', { name: 'Unlink Zoë' }).click()
    await expect.poll(() => dialog.getByRole('list', { name: 'Linked' }).getByRole('listitem').allTextContents()).toEqual([expect.stringContaining('Ines')])
    expect((await (await call('GET', `/captures/${id}`)).json()) as object).toMatchObject({ athlete_id: other.athlete.id })
    await dialog.getByRole('button', { name: 'Unlink Ines' }).click()
    await dialog.getByText('Nobody yet.').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Link an athlete' }).waitFor()
  })

  test('is had in every format', async () => {
    const page = await open(`/captures/${lab}`, { still: true })
    await ready(page)
    for (const [choice, name, begin] of [
      ['The file as it came', 'lab.csv', 'Devices'], ['C3D points', 'lab.c3d', ''], ['TRC points', 'lab.trc', 'PathFileType'], ['CSV a row a frame', 'lab.csv', 'frame,time'], ['Frames as CSV', 'lab.frames.csv', 'frame,time'], ['Frames as Parquet', 'lab.parquet', 'PAR1'],
    ] as const) {
      await page.locator('.menu summary').click()
      const pick = page.getByRole(choice === 'The file as it came' ? 'link' : 'button', { name: choice })
      const [download] = await Promise.all([page.waitForEvent('download'), pick.click()])
      expect(download.suggestedFilename()).toBe(name)
      const bytes = readFileSync(await download.path())
      const text = bytes.subarray(0, 20).toString('latin1')
      if (name === 'lab.c3d') expect(bytes[1]).toBe(0x50)
      else expect(text.startsWith(begin)).toBe(true)
      await page.keyboard.press('Escape')
      await page.locator('.menu').evaluate((e) => { (e as HTMLDetailsElement).open = false })
    }
  })

  test('is deleted only after a question', async () => {
    const id = await recorded('gone.trc', walkTRC())
    const page = await open(`/captures/${id}`, { still: true })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('nobody can bring it back').waitFor()
    await accessible(page)
    await page.getByRole('button', { name: 'Keep it' }).click()
    expect((await call('GET', `/captures/${id}`)).status).toBe(200)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.clock.install()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/\/captures$/)
    await page.clock.fastForward(30_000)
    await page.getByText('1 capture deleted.').waitFor()
    expect((await call('GET', `/captures/${id}`)).status).toBe(404)
    await page.goto(`${served.url}/captures/${id}`)
    await page.getByText('There is no such capture').waitFor()
  })

  test('that awaits its file comes to life when the file is there', async () => {
    const place = await reserve('late.trc')
    const page = await open(`/captures/${place.session_id}`)
    await page.getByText('has not arrived yet').waitFor()
    await accessible(page)
    await expect.poll(() => page.getByText('has no file').count()).toBe(0)
    await send(place, 'late.trc', walkTRC())
    await ready(page)
  })

  test('whose file could not be read says why, and still gives the file', async () => {
    const id = await recorded('bad.c3d', Buffer.from('this is no C3D file at all, it is a sentence'))
    const page = await open(`/captures/${id}`)
    await page.getByText('The file could not be read').waitFor()
    const { error } = (await (await call('GET', `/captures/${id}`)).json()) as { error: string }
    await page.getByText(error).waitFor()
    await page.locator('.facts').getByText('bad.c3d').waitFor()
    await accessible(page)
    await picture(page, 'capture-error')
    await page.locator('.menu summary').click()
    await page.getByText('The file as it came').waitFor()
  })

  test('of who may only look offers nothing else', async () => {
    const page = await open(`/captures/${walk}`, { still: true, token: served.viewer })
    await ready(page)
    await expect.poll(() => page.getByRole('button', { name: /Correct|Delete|Link/ }).count()).toBe(0)
  })

  test('of channels alone is played by the keys, each row at its own time', async () => {
    const id = await recorded('uneven.csv', Buffer.from('time,force\n0,10\n0.1,20\n0.15,30\n0.5,40\n'))
    const page = await open(`/captures/${id}`)
    await page.locator('.plot-host[data-points]').waitFor()
    await page.keyboard.press('End')
    await expect.poll(() => frame(page)).toBe('3 / 3')
    await expect.poll(() => page.locator('.player-time').textContent()).toBe('0.500 s')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => page.locator('.player-time').textContent()).toBe('0.150 s')
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Pause' }).or(page.getByText('0.500 s')).first().waitFor()
  })

  test('of uneven rows shows the time of the row it stands at once the times are known', async () => {
    const id = await recorded('uneven.csv', Buffer.from('time,force\n0,10\n0.1,20\n0.15,30\n0.5,40\n'))
    let send = () => {}
    const asked = new Promise<void>((go) => { send = go })
    const page = await open(`/captures/${id}`, {
      before: (page) => page.route(/\/v1\/captures\/[^?]*\/frames/, async (route) => {
        await asked
        await route.continue()
      }),
    })
    await expect.poll(() => frame(page)).toBe('0 / 3')
    await page.keyboard.press('End')
    await expect.poll(() => frame(page)).toBe('3 / 3')
    send()
    await expect.poll(() => page.locator('.player-time').textContent()).toBe('0.500 s')
  })

  test('without 3D has plots and data still', async () => {
    const page = await open(`/captures/${lab}?plot=LASI`, {
      before: (page) => page.addInitScript(() => {
        HTMLCanvasElement.prototype.getContext = new Proxy(HTMLCanvasElement.prototype.getContext, {
          apply: (get, canvas, args) => (String(args[0]).startsWith('webgl') ? null : Reflect.apply(get, canvas, args) as unknown),
        })
      }),
    })
    await page.getByText('This browser shows no 3D').waitFor()
    await page.locator('.plot-host[data-points]').waitFor()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => frame(page)).toBe(`1 / ${frames - 1}`)
    await accessible(page)
  })

  // docs/pictures/ has this picture, with 256 colours, for the README: SHOTS=1 makes it again when the screen has changed.
  test('of the demo moves, and is what the README shows', async () => {
    const page = await open(`/captures/${await demo('golf', 'golf_left.c3d')}`, { width: 1280, height: 860 })
    await ready(page)
    await pause(page)
    await page.getByRole('combobox', { name: 'Trails' }).selectOption('0.5')
    await page.getByRole('button', { name: /Impact/ }).click()
    await expect.poll(async () => Number((await frame(page))!.split(' ')[0])).toBeGreaterThan(100)
    await expect.poll(() => page.getByRole('img', { name: /3D view of 41 points and \d\d bones/ }).count()).toBe(1)
    await picture(page, 'readme')
  })

  test('tells what fails on the way, and goes on when it is tried again', async () => {
    let mend = async () => {}
    const page = await open(`/captures/${walk}`, { before: async (page) => { mend = await fault(page, /\/frames\?/, 500, 'Something broke in the server.') } })
    const note = page.locator('.stage-note')
    await note.getByText('Something broke in the server.').waitFor()
    await mend()
    await note.getByRole('button', { name: 'Try again' }).click()
    await ready(page)
  })

  test('of two people has a colour for each, and says what is odd about the file', async () => {
    // The unit is not said, and each marker is there twice: of Ann, and of Bob a metre beside her.
    const two = walkTRC().toString().split('\n').map((line, i) => {
      const cells = line.split('\t')
      if (i === 2) return line.replace('\tmm\t', '\t\t').replace('\t26\t', '\t52\t')
      if (i === 3) return [...cells.slice(0, 2), ...['Ann:', 'Bob:'].flatMap((who) => cells.slice(2).map((c) => (c ? who + c : '')))].join('\t')
      if (i === 4) return ['', '', ...Array.from({ length: 52 }, (_, n) => [`X${n + 1}`, `Y${n + 1}`, `Z${n + 1}`]).flat()].join('\t')
      if (i < 6 || cells.length < 5) return line
      return [...cells, ...cells.slice(2).map((c, k) => (c && k % 3 === 1 ? String(Number(c) + 1000) : c))].join('\t')
    })
    const bones = async (of: Page) => Number(/and (\d+) bones/.exec((await of.locator('.stage-canvas').getAttribute('aria-label'))!)![1])
    const alone = await open(`/captures/${walk}`, { still: true })
    await ready(alone)
    const one = await bones(alone)
    await alone.close()
    const id = await recorded('two.trc', Buffer.from(two.join('\n')))
    const page = await open(`/captures/${id}`, { still: true })
    await ready(page)
    await page.getByRole('list', { name: 'Subjects' }).getByText('Bob').waitFor()
    // Both have their bones, though the markers of the second are told apart by a number.
    await expect.poll(() => bones(page)).toBe(2 * one)
    const { warnings } = (await (await call('GET', `/captures/${id}/motion`)).json()) as { warnings: { message: string }[] }
    expect(warnings.length).toBeGreaterThan(0)
    for (const w of warnings) await page.locator('.warnings').getByText(w.message).waitFor()
    await picture(page, 'capture-two')
  })
})
