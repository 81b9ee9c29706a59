import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { accessible, fault, open, picture, served, trc, useBrowser } from './browser'
import { choose, motion, tray } from './uploads'

const table = (text: string) => ({ name: 'kinebase.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
const signedIn = { headers: { Authorization: `Bearer ${served.token}` } }

interface Reserved {
  athlete_ids?: string[]
  capture_time?: string
  movement_attributes: Record<string, unknown>
}

/** reserved collects what is said of files when they are reserved. */
function reserved(page: Page): Map<string, Reserved> {
  const all = new Map<string, Reserved>()
  page.on('request', (r) => {
    if (r.method() !== 'POST' || !r.url().endsWith('/v1/captures')) return
    const body = r.postDataJSON() as Reserved & { file_name: string }
    all.set(body.file_name, body)
  })
  return all
}

describe('several files', () => {
  useBrowser()

  test('each say otherwise in a row of their own who moves, what is done, and when', async () => {
    const page = await open('/captures')
    await page.getByRole('table').waitFor()
    const said = reserved(page)
    await choose(page, ['one.trc', 'two.trc', 'three.trc', 'four.trc'].map((n) => motion(n)))
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Activity', { exact: true }).fill('golf')
    await dialog.getByLabel('Movement', { exact: true }).fill('swing')
    await dialog.getByLabel('Handedness').selectOption('left')
    await dialog.getByLabel('Recorded', { exact: true }).fill('2026-05-13T14:30')
    const pick = async (name: string, n: number) => {
      await dialog.getByRole('combobox', { name, exact: true }).focus()
      await page.keyboard.press('ArrowDown')
      await dialog.getByRole('listbox').getByRole('option').nth(n).waitFor()
      for (let i = 0; i < n; i++) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    // Nobody is what a row has anyway, as long as nobody is said of all.
    expect(await dialog.getByRole('checkbox', { name: /^Nobody in/ }).count()).toBe(0)
    await pick('Athlete', 0)
    await dialog.getByRole('list', { name: 'Athletes of all files' }).getByRole('listitem').waitFor()
    await dialog.getByRole('checkbox', { name: 'Nobody in four.trc' }).focus()
    await page.keyboard.press('Space')
    await expect.poll(() => dialog.getByRole('combobox', { name: 'Athlete of four.trc' }).getAttribute('placeholder')).toBe('Nobody')
    expect(await dialog.getByRole('combobox', { name: 'Athlete of three.trc' }).getAttribute('placeholder')).toBe('As for all')
    // By the keyboard alone, as whoever sees no pointer does it.
    await pick('Athlete of two.trc', 1)
    await dialog.getByRole('list', { name: 'Athletes of two.trc' }).getByRole('listitem').waitFor()
    await dialog.getByLabel('Activity of two.trc').focus()
    await page.keyboard.type('jump')
    await page.keyboard.press('Tab')
    await page.keyboard.type('countermovement_jump')
    expect(await dialog.getByLabel('Movement of two.trc').inputValue()).toBe('countermovement_jump')
    await dialog.getByLabel('Recording date of three.trc').fill('2026-05-14T09:00')
    await accessible(page)
    await picture(page, 'upload-rows')
    await dialog.getByRole('button', { name: 'Upload 4 files' }).click()
    await tray(page).getByText('Done').nth(3).waitFor()
    expect(said.get('four.trc')!.athlete_ids).toBeUndefined()
    const [one, two, three] = ['one.trc', 'two.trc', 'three.trc'].map((n) => said.get(n))
    expect(one!.athlete_ids).toHaveLength(1)
    expect(three!.athlete_ids).toEqual(one!.athlete_ids)
    expect(two!.athlete_ids).toHaveLength(1)
    expect(two!.athlete_ids).not.toEqual(one!.athlete_ids)
    expect(one!.movement_attributes).toEqual({ activity: 'golf', movement: 'swing', handedness: 'left' })
    expect(two!.movement_attributes).toEqual({ activity: 'jump', movement: 'countermovement_jump' })
    // The server has what the rows say.
    const kept = async (name: string) => {
      const id = (await tray(page).getByRole('link', { name }).getAttribute('href'))!.split('/').at(-1)!
      return (await fetch(`${served.url}/v1/captures/${id}`, signedIn)).json()
    }
    expect(await kept('four.trc')).toMatchObject({ activity: 'golf', athlete_id: null })
    expect(await kept('two.trc')).toMatchObject({ activity: 'jump', athlete_id: two!.athlete_ids![0], capture_time: '2026-05-13T14:30:00.000Z' })
    expect(await kept('three.trc')).toMatchObject({ activity: 'golf', athlete_id: one!.athlete_ids![0], capture_time: '2026-05-14T09:00:00.000Z' })
  })

  test('have their rows as cards on a phone', async () => {
    const page = await open('/captures', { token: served.busy, width: 390, height: 844, touch: true })
    await choose(page, ['one.trc', 'two.trc'].map((n) => motion(n)))
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Activity of two.trc').fill('golf')
    expect(await page.evaluate(() => document.querySelector('dialog')!.scrollWidth - document.querySelector('dialog')!.clientWidth)).toBe(0)
    const [above, below] = [await dialog.getByLabel('Activity of two.trc').boundingBox(), await dialog.getByLabel('Movement of two.trc').boundingBox()]
    expect(below!.y).toBeGreaterThan(above!.y + above!.height - 1)
    expect(above!.width).toBeGreaterThan(180)
    await accessible(page)
    await picture(page, 'upload-rows-phone')
    await dialog.getByRole('button', { name: 'Leave out one.trc' }).click()
    // What the row says stays in sight.
    expect(await dialog.getByLabel('Activity of two.trc').inputValue()).toBe('golf')
    await dialog.getByRole('button', { name: 'Upload 1 file' }).waitFor()
  })

  test('may be hundreds, whose rows come twenty at a time and keep what they say', async () => {
    const page = await open('/captures', { token: served.busy })
    await choose(page, Array.from({ length: 45 }, (_, n) => motion(`trial ${n}.trc`, 2)))
    const dialog = page.getByRole('dialog')
    const pages = dialog.getByRole('navigation', { name: 'Pages of files' })
    await dialog.getByLabel('Activity of trial 3.trc').fill('golf')
    await pages.getByRole('button', { name: 'Last page' }).click()
    await pages.getByText('41–45 of 45').waitFor()
    await dialog.getByLabel('Activity of trial 44.trc').fill('running')
    for (let n = 40; n < 45; n++) await dialog.getByRole('button', { name: `Leave out trial ${n}.trc` }).click()
    await pages.getByText('21–40 of 40').waitFor()
    await pages.getByRole('button', { name: 'Previous page' }).click()
    expect(await dialog.getByLabel('Activity of trial 3.trc').inputValue()).toBe('golf')
    await accessible(page)
  })

  test('have what a table among them says, and its lines that apply to nothing are told in words', async () => {
    const { athletes } = (await (await fetch(`${served.url}/v1/athletes?limit=500`, signedIn)).json()) as { athletes: { id: string; first_name: string; last_name: string }[] }
    const called = (a: { first_name: string; last_name: string }) => `${a.first_name} ${a.last_name}`
    const alone = athletes.filter((a) => athletes.filter((b) => called(b).toUpperCase() === called(a).toUpperCase()).length === 1)
    const [ada, ben] = [alone[0]!, alone[1]!]
    const page = await open('/captures')
    const said = reserved(page)
    await choose(page, [
      table([
        'file;Athlete;activity;movement;handedness;capture_time',
        `swing_*.trc;${called(ada).toUpperCase()};golf;swing;left;2026-05-13T14:30+02:00`,
        `jump.trc;${ben.id} | ${called(ada)};jump;countermovement;;2026-05-13T14:30:07`,
        'lost.trc;;golf;;;', 'wrong.trc;Nobody Of This Name;golf;;;', 'never.trc;;;;;yesterday',
      ].join('\r\n')),
      ...['swing_1.trc', 'swing_2.trc', 'jump.trc', 'wrong.trc', 'never.trc', 'plain.trc'].map((n) => motion(n)),
    ])
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The table kinebase.csv speaks of 3 of 6 files').waitFor()
    const notes = ['line 4: no file is “lost.trc”', 'line 5: nobody is called “Nobody Of This Name”', 'line 6: “yesterday” is no date']
    for (const note of notes) await dialog.getByRole('listitem').filter({ hasText: `kinebase.csv, ${note}` }).waitFor()
    // What a row cannot say right is not sent without it.
    await dialog.getByText('2 files are left out').waitFor()
    await dialog.getByRole('list', { name: 'Athletes of swing_2.trc' }).getByText(called(ada)).waitFor()
    expect(await dialog.getByLabel('Recording date of swing_1.trc').inputValue()).toBe('2026-05-13T12:30')
    // A row can be changed after that, and what is said of all counts for the rest.
    await dialog.getByLabel('Movement of swing_2.trc').fill('putt')
    await dialog.getByLabel('Activity', { exact: true }).fill('running')
    await accessible(page)
    await picture(page, 'upload-table')
    await dialog.getByRole('button', { name: 'Upload 4 files' }).click()
    await tray(page).getByText('Done').nth(3).waitFor()
    expect([...said.keys()].sort()).toEqual(['jump.trc', 'plain.trc', 'swing_1.trc', 'swing_2.trc'])
    expect(said.get('swing_1.trc')).toMatchObject({ athlete_ids: [ada.id], capture_time: '2026-05-13T12:30:00.000Z', movement_attributes: { activity: 'golf', movement: 'swing', handedness: 'left' } })
    expect(said.get('swing_2.trc')).toMatchObject({ athlete_ids: [ada.id], movement_attributes: { activity: 'golf', movement: 'putt', handedness: 'left' } })
    expect(said.get('jump.trc')).toMatchObject({ athlete_ids: [ben.id, ada.id], capture_time: '2026-05-13T14:30:07.000Z', movement_attributes: { activity: 'jump', movement: 'countermovement' } })
    expect(said.get('plain.trc')).toMatchObject({ movement_attributes: { activity: 'running' } })
    expect(said.get('plain.trc')!.athlete_ids).toBeUndefined()
  })

  test('come with names of points for the organization, which are kept when somebody agrees', async () => {
    const headers = { Authorization: `Bearer ${served.busy}`, 'Content-Type': 'application/json' }
    const put = (body: object) => fetch(`${served.url}/v1/landmarks`, { method: 'PUT', headers, body: JSON.stringify(body) })
    const there = async () => (await (await fetch(`${served.url}/v1/landmarks`, { headers })).json()) as { centres: boolean; landmarks: unknown[] }
    const heel = { name: 'left_heel', points: [['OLD']] }
    const toe = { name: 'left_toe', points: [['TOE_L']] }
    expect((await put({ landmarks: [heel, toe] })).status).toBe(200)
    const page = await open('/captures', { token: served.busy })
    const said = ['file,activity,landmark,points', 'named.trc,golf,,', ',,left_heel,L_HEEL + L_SIDE | LHeel_old', ',,centres,TRUE', ',,left_heel,AGAIN', ',,left_knee,A + ', ',,right_knee,']
    const files = [table(said.join('\n')), motion('named.trc'), motion('other.trc')]
    await choose(page, files)
    const dialog = page.getByRole('dialog')
    const wrong = ['line 5: it names left_heel twice', 'line 6: “A +” has no name of a point', 'line 7: it does not say of which points right_knee']
    for (const why of wrong) await dialog.getByRole('listitem').filter({ hasText: why }).waitFor()
    const agree = dialog.getByRole('checkbox', { name: /Call points so in all recordings.*: left_heel, centres\./ })
    expect(await agree.isChecked()).toBe(false)
    await accessible(page)
    await picture(page, 'upload-landmarks')
    await dialog.getByRole('button', { name: 'Upload 2 files' }).click()
    await tray(page).getByText('Done').nth(1).waitFor()
    expect(await there()).toMatchObject({ centres: false, landmarks: [heel, toe] })
    // With consent they take the place of what was said of the same ones, before the first file goes.
    const calls: string[] = []
    page.on('request', (r) => { if (r.method() !== 'GET') calls.push(`${r.method()} ${new URL(r.url()).pathname}`) })
    await choose(page, files.map((f) => ({ ...f, name: f.name.replace('named', 'named too') })))
    await agree.check()
    await dialog.getByRole('button', { name: 'Upload 2 files' }).click()
    await tray(page).getByText('Already there', { exact: true }).waitFor()
    expect(await there()).toMatchObject({ centres: true, landmarks: [{ name: 'left_heel', points: [['L_HEEL', 'L_SIDE'], ['LHeel_old']] }, toe] })
    expect(calls[0]).toBe('PUT /console/v1/landmarks')
    // A landmark that the library has not is refused by the server: nothing goes until somebody decides.
    await choose(page, [table('file,landmark,points\n,left_wing,WING\n'), motion('winged.trc')])
    await dialog.getByRole('checkbox', { name: /left_wing/ }).check()
    await dialog.getByRole('button', { name: 'Upload 1 file' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'left_wing' }).waitFor()
    await accessible(page)
    await dialog.getByRole('checkbox', { name: /left_wing/ }).uncheck()
    await dialog.getByRole('button', { name: 'Upload 1 file' }).click()
    await tray(page).getByText('Done').nth(3).waitFor()
    expect((await put({ landmarks: [] })).status).toBe(200)
  })

  test('are kept out by a table that cannot be read, until it is corrected or left away', async () => {
    const page = await open('/captures', { token: served.busy })
    await choose(page, [table('file,activty\none.trc,golf\n'), motion('one.trc'), motion('two.trc')])
    const dialog = page.getByRole('dialog')
    await dialog.getByText('kinebase.csv cannot be read: activty is no column of such a table').waitFor()
    await dialog.getByText('2 files are left out').waitFor()
    await expect.poll(() => dialog.getByRole('button', { name: 'Upload', exact: true }).isDisabled()).toBe(true)
    await page.getByLabel('Files to upload').setInputFiles([table('file,activity\none.trc,golf\n')])
    await dialog.getByText('speaks of 1 of 2 files').waitFor()
    expect(await dialog.getByLabel('Activity of one.trc').inputValue()).toBe('golf')
    // One that comes in the place of a good one says nothing until somebody wants it to.
    await page.getByLabel('Files to upload').setInputFiles([table('file,activity\ntwo.trc,tennis\n')])
    await dialog.getByText('kinebase.csv was chosen by itself').waitFor()
    expect(await dialog.getByRole('button', { name: 'Upload 2 files' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Movement of one.trc').fill('swing')
    await accessible(page)
    await dialog.getByRole('button', { name: 'Use it for 2 files: one.trc …' }).click()
    await expect.poll(() => dialog.getByLabel('Activity of two.trc').inputValue()).toBe('tennis')
    expect(await dialog.getByLabel('Activity of one.trc').inputValue()).toBe('')
    expect(await dialog.getByLabel('Movement of one.trc').inputValue()).toBe('swing')
    await dialog.getByRole('button', { name: 'Without the table' }).click()
    expect(await dialog.getByLabel('Activity of two.trc').inputValue()).toBe('')
    await dialog.getByRole('button', { name: 'Upload 2 files' }).waitFor()
  })

  test('have what the table of their own choice says, not that of another folder of the same name', async () => {
    const page = await open('/captures', { token: served.busy })
    const folder = mkdtempSync(join(tmpdir(), 'kinebase-days-'))
    try {
      const day = (of: string, activity: string) => {
        const monday = join(folder, of, 'monday')
        mkdirSync(monday, { recursive: true })
        writeFileSync(join(monday, 'trial1.trc'), trc(activity.length))
        writeFileSync(join(monday, 'kinebase.csv'), `file,activity\ntrial1.trc,${activity}\n`)
        return monday
      }
      await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
      await page.getByLabel('A folder to upload').setInputFiles(day('ann', 'golf'))
      const dialog = page.getByRole('dialog')
      await dialog.getByText('speaks of 1 of 1 file').waitFor()
      await page.getByLabel('A folder to upload').setInputFiles(day('bob', 'tennis'))
      await dialog.getByText('speaks of 2 of 2 files').waitFor()
      const activities = dialog.getByLabel('Activity of monday/trial1.trc')
      expect([await activities.nth(0).inputValue(), await activities.nth(1).inputValue()]).toEqual(['golf', 'tennis'])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('that are videos of one recording have what their rows say when it is the same, or the values for all', async () => {
    const page = await open('/captures', { token: served.busy })
    const said = reserved(page)
    const film = (name: string) => ({ name, mimeType: 'video/mp4', buffer: Buffer.from(`no film ${name}`) })
    const calibration = { name: 'cameras.toml', mimeType: 'application/toml', buffer: Buffer.from('[cam1]\nname = "left"\n') }
    await choose(page, [film('left.mp4'), film('right.mp4'), calibration, table('file,activity,movement,capture_time\n*.mp4,golf,swing,2026-05-13T14:30\n')])
    const dialog = page.getByRole('dialog')
    await dialog.getByText('One recording is made of the videos: golf, swing, 13 May 2026').nth(1).waitFor()
    await accessible(page)
    await dialog.getByRole('button', { name: 'Each for itself' }).click()
    await dialog.getByLabel('Movement of right.mp4').fill('putt')
    await page.getByLabel('Files to upload').setInputFiles([calibration])
    await dialog.getByText('Their rows differ: it takes the values for all files.').waitFor()
    await accessible(page)
    await dialog.getByRole('button', { name: 'Each for itself' }).click()
    await dialog.getByLabel('Movement of right.mp4').fill('swing')
    await page.getByLabel('Files to upload').setInputFiles([calibration])
    await dialog.getByText('One recording is made of the videos: golf').first().waitFor()
    await dialog.getByRole('button', { name: 'Upload 2 files' }).click()
    await tray(page).getByRole('listitem').filter({ hasText: 'left.cameras' }).getByText('Cannot be read').waitFor() // its videos are none
    for (const name of ['left.mp4', 'right.mp4', 'left.cameras']) expect(said.get(name)!.capture_time).toBe('2026-05-13T14:30:00.000Z')
    expect(said.get('left.cameras')!.movement_attributes).toEqual({ activity: 'golf', movement: 'swing' })
  })

  test('are not sent while nobody knows whom a table names, which is asked again', async () => {
    const page = await open('/captures')
    const mend = await fault(page, /console\/v1\/athletes\?/, 403, 'Not now.')
    await choose(page, [table('file,athlete\none.trc,Nobody Of This Name\n'), motion('one.trc'), motion('two.trc')])
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Not now.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Upload 2 files' }).isDisabled()).toBe(true)
    await mend()
    await dialog.getByRole('button', { name: /again/i }).click()
    await dialog.getByText('nobody is called “Nobody Of This Name”').first().waitFor()
    await expect.poll(() => dialog.getByRole('button', { name: 'Upload 1 file' }).isEnabled()).toBe(true)
  })

  test('of a folder have the row of the nearest table, by their path from it on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kinebase-tables-'))
    try {
      mkdirSync(join(folder, 'ben', 'day'), { recursive: true })
      for (const name of ['a.trc', 'ben/b.trc', 'ben/day/c.trc']) writeFileSync(join(folder, name), trc())
      writeFileSync(join(folder, 'kinebase.csv'), 'file,activity\n**/*.trc,golf\n')
      writeFileSync(join(folder, 'ben', 'kinebase.csv'), 'file,activity\nday/*,tennis\n')
      const page = await open('/captures', { token: served.busy })
      await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
      await page.getByLabel('A folder to upload').setInputFiles(folder)
      const dialog = page.getByRole('dialog')
      await dialog.getByText('speaks of 3 of 3 files').waitFor()
      const activity = (name: string) => dialog.getByLabel(`Activity of ${basename(folder)}/${name}`).inputValue()
      expect([await activity('a.trc'), await activity('ben/b.trc'), await activity('ben/day/c.trc')]).toEqual(['golf', 'golf', 'tennis'])
      await accessible(page)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
