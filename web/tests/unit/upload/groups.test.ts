import { describe, expect, test, vi } from 'vitest'
import { given, none, taken, without, type Groups } from '../../../src/upload/groups'
import { found } from '../../../src/upload/kinds'
import { agreed, filled, open, saidOf, type Laid, type Own } from '../../../src/upload/own'
import { planOf } from '../../../src/upload/plan'

// The address of the page listens to the window, which is not there.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => undefined))

/** file is one as a choice has it; path may be that of another one. */
function file(path: string, text = path): File {
  const f = new File([text], path.split('/').at(-1)!, { lastModified: text.length })
  found(f, path)
  return f
}
const golf = 'file,activity\ntrial1.c3d,golf\n'
const tennis = 'file,activity\ntrial1.c3d,tennis\n'

/** chosen adds one choice after another, each read before the next is made. */
async function chosen(...choices: File[][]): Promise<Groups> {
  let all = none
  for (const files of choices) {
    const { faulty } = await planOf(all.groups, null)
    all = taken(all, files.filter((f) => f.name !== 'kinebase.csv'), files.filter((f) => f.name === 'kinebase.csv'), faulty)
  }
  return all
}
const activities = async (all: Groups) => {
  const { rows } = await planOf(all.groups, null)
  return all.groups.map((g) => g.files.map((f) => rows.get(f)?.own.activity ?? ''))
}

describe('a table', () => {
  test('speaks of the files of its own choice alone, whatever their paths are', async () => {
    for (const at of ['', 'monday/']) {
      const all = await chosen(
        [file(`${at}kinebase.csv`, golf), file(`${at}trial1.c3d`, 'of Ann')],
        [file(`${at}kinebase.csv`, tennis), file(`${at}trial1.c3d`, 'of another')],
        [file(`${at}trial1.c3d`, 'of nobody at all')],
      )
      expect(await activities(all)).toEqual([['golf'], ['tennis'], ['']])
      expect(all.loose).toEqual([])
    }
  })

  test('that comes alone corrects the one of its path that is faulty', async () => {
    const ann = [file('kinebase.csv', 'file,activity,capture_time\ntrial1.c3d,golf,never\n'), file('trial1.c3d', 'of Ann')]
    const bob = [file('kinebase.csv', tennis), file('trial1.c3d', 'of Robert')]
    const all = await chosen(ann, bob, [file('kinebase.csv', golf)])
    expect(await activities(all)).toEqual([['golf'], ['tennis']])
    expect(all.loose).toEqual([])
  })

  test('that comes alone is loose when several are faulty or none is, until somebody says of which files it speaks', async () => {
    const broken = (of: string) => [file('kinebase.csv', 'file,activty\n'), file('trial1.c3d', of)]
    const good = [file('kinebase.csv', tennis), file('trial1.c3d', 'of Cem')]
    const sheet = file('kinebase.csv', golf)
    for (const before of [[broken('of Ann'), broken('of some Bob')], [good], [[file('trial1.c3d', 'of Ann')]]]) {
      const all = await chosen(...before, [sheet])
      expect(all.loose).toEqual([sheet])
      expect(all.groups.flatMap((g) => g.sheets)).not.toContain(sheet)
      const done = given(all, sheet, all.groups[0]!)
      expect(done.loose).toEqual([])
      expect((await activities(done))[0]).toEqual(['golf'])
      expect(done.groups[0]!.sheets).toEqual([sheet])
    }
  })

  test('that is chosen by its name for a folder takes the place of the one there', async () => {
    const all = await chosen([file('monday/kinebase.csv', tennis), file('monday/trial1.c3d')], [file('kinebase.csv', golf)])
    expect(await activities(given(all, all.loose[0]!, all.groups[0]!))).toEqual([['golf']])
  })

  test('that comes with the same files once more speaks of them', async () => {
    const first = [file('monday/kinebase.csv', golf), file('monday/trial1.c3d'), file('monday/trial2.c3d')]
    const all = await chosen(first, [file('monday/kinebase.csv', tennis), file('monday/trial1.c3d')])
    expect(all.groups.map((g) => g.files)).toEqual([[first[2]], [first[1]]])
    expect(await activities(all)).toEqual([[''], ['tennis']])
    expect((await chosen(first, [file('monday/trial1.c3d')])).groups).toEqual([{ files: first.slice(1), sheets: [first[0]] }])
  })

  test('goes with the last of its files, and lines of two tables of one path are told apart', async () => {
    const all = await chosen([file('kinebase.csv', `${golf}lost,a\n`), file('trial1.c3d')], [file('kinebase.csv', `${tennis}gone,b\n`), file('trial1.c3d', 'other')])
    const { notes } = await planOf(all.groups, null)
    expect(notes.map((n) => n.split(':')[0])).toEqual(['kinebase.csv (choice 1), line 3', 'kinebase.csv (choice 2), line 3'])
    expect(without(all, all.groups[0]!.files[0]!).groups).toEqual([all.groups[1]])
  })
})

describe('a row', () => {
  const f = file('a.c3d')
  const laid = (sheet: File, own: Partial<Own>) => new Map<File, Laid>([[f, { sheet, own: { ...open, ...own } }]])
  const [one, two] = [file('kinebase.csv', 'one'), file('kinebase.csv', 'two')]

  test('keeps what somebody wrote by hand when another table says something else, and takes the rest', () => {
    const before = laid(one, { athletes: ['ann'], activity: 'golf', recorded: '2026-05-13T14:30', moment: '2026-05-13T12:30:00.000Z' })
    const row = { ...before.get(f)!.own, activity: 'jump' }
    const told = laid(two, { athletes: ['bob'], activity: 'tennis', movement: 'serve' })
    expect(filled(new Map([[f, row]]), before, told).get(f)).toEqual({ ...open, athletes: ['bob'], activity: 'jump', movement: 'serve' })
    expect(filled(new Map([[f, row]]), before, new Map()).get(f)).toEqual({ ...open, activity: 'jump' })
    expect(filled(new Map([[f, before.get(f)!.own]]), before, new Map()).has(f)).toBe(false)
    expect(filled(new Map([[f, { ...open, activity: 'jump' }]]), new Map(), told).get(f)).toMatchObject({ activity: 'jump', movement: 'serve' })
    // The same table read once more, with other files, changes nothing.
    expect(filled(new Map([[f, { ...row, athletes: [] }]]), before, before).get(f)!.athletes).toEqual([])
  })

  test('may say that nobody moves in it, whoever moves in all files, and another table leaves that as it is', () => {
    const camera = { setup: '', orientation: '' }
    const all = { ...open, athletes: ['ann'] }
    const who = (own: Partial<Own>) => saidOf(all, { ...open, ...own }, camera).athletes
    expect([who({}), who({ nobody: true }), who({ athletes: ['bob'] })]).toEqual([['ann'], [], ['bob']])
    const before = laid(one, { athletes: ['ann'] })
    const nobody = new Map([[f, { ...open, nobody: true }]])
    expect(filled(nobody, before, laid(two, { athletes: ['bob'], activity: 'golf' })).get(f)).toEqual({ ...open, nobody: true, activity: 'golf' })
    expect(filled(nobody, before, new Map()).get(f)).toEqual({ ...open, nobody: true })
    expect(filled(new Map([[f, before.get(f)!.own]]), before, laid(two, {})).get(f)).toEqual(open)
    // Videos of one recording agree that nobody does.
    expect(agreed(all, [{ ...open, nobody: true }, { ...open, nobody: true }], camera)!.athletes).toEqual([])
    expect(agreed(all, [{ ...open, nobody: true }, open], camera)).toBeNull()
  })

  test('sends the moment of its table, which an hour that comes twice in a year does not hide, until it is edited', async () => {
    const zone = process.env.TZ
    process.env.TZ = 'Europe/Berlin'
    try {
      const camera = { setup: '', orientation: '' }
      for (const [time, at] of [['+01:00', '01'], ['+02:00', '00']]) {
        const all = await chosen([file('kinebase.csv', `file,capture_time\ntrial1.c3d,2026-10-25T02:30${time}\n`), file('trial1.c3d')])
        const own = [...(await planOf(all.groups, null)).rows.values()][0]!.own
        expect(own.recorded.slice(0, 16)).toBe('2026-10-25T02:30')
        expect(saidOf(open, own, camera).recorded).toBe(`2026-10-25T${at}:30:00.000Z`)
        expect(saidOf(open, { ...own, recorded: '2026-10-26T02:30', moment: '' }, camera).recorded).toBe('2026-10-26T01:30:00.000Z')
      }
    } finally {
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
    }
  })
})

test('files that become one recording have what is said of each when it is the same, whatever its order', () => {
  const camera = { setup: '', orientation: 'portrait' }
  const all = { ...open, athletes: ['cem'], activity: 'golf' }
  const row = { ...open, athletes: ['ann'], movement: 'swing', dimensions: { handedness: 'left', bat_length: '80' } }
  const same = { ...row, activity: 'golf', dimensions: { bat_length: '80', handedness: 'left' } }
  expect(agreed(all, [row, same], camera)).toEqual(saidOf(all, row, camera))
  expect(agreed(all, [open, open], camera)).toEqual(saidOf(all, open, camera))
  for (const other of [open, { ...row, athletes: ['bob'] }, { ...row, movement: 'putt' }, { ...row, moment: '2026-05-13T12:30:00.000Z' }, { ...row, dimensions: {} }]) expect(agreed(all, [row, other], camera)).toBeNull()
  expect(agreed(all, [], camera)).toBeNull()
})
