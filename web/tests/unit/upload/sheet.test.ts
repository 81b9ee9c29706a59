import { describe, expect, test } from 'vitest'
import { matcher, readSheet } from '../../../src/upload/sheet'

const files = (text: string) => readSheet(text).rows.map((r) => [r.line, r.file, r.activity])

describe('a table kinebase.csv', () => {
  test('has its cells apart by commas, semicolons, tabs, or what its first line says', () => {
    for (const c of [',', ';', '\t']) expect(files(`file${c}activity\na.trc${c}golf\n`)).toEqual([[2, 'a.trc', 'golf']])
    for (const c of [',', ';', '\t', '|']) expect(files(`"sep=${c}"\nfile${c}activity\na.trc${c}golf`)).toEqual([[3, 'a.trc', 'golf']])
    expect(files('sep=|\nfile|activity\na, b; c.trc|golf')).toEqual([[3, 'a, b; c.trc', 'golf']])
  })

  test('ends its lines in each of three ways, may begin with a mark, and has lines that say nothing', () => {
    for (const end of ['\n', '\r\n', '\r']) expect(files(`\ufeffFILE,,Activity${end}${end},,${end}a.trc,,golf${end}`)).toEqual([[4, 'a.trc', 'golf']])
  })

  test('keeps what stands in quotes together, and counts its lines', () => {
    expect(files('file,activity\n"a, ""b"".trc","go\nlf"\n"c.trc", tennis \n')).toEqual([[2, 'a, "b".trc', 'go\nlf'], [4, 'c.trc', 'tennis']])
    expect(files('file,activity\n"""a""",""\n')).toEqual([[2, '"a"', '']])
    for (const [text, line] of [['file\n"a.trc\n', 2], ['file\na"b.trc\n', 2], ['file\n"a"b\n', 2]] as const) expect(readSheet(text).why).toBe(`line ${line} has quotes that do not match`)
  })

  test('cannot be read with a column that it must not have, has twice, or lacks', () => {
    expect(readSheet('file,activty\n').why).toContain('activty is no column')
    expect(readSheet('file,File\n').why).toContain('twice')
    expect(readSheet('activity\ngolf\n').why).toBe('it has no column file')
    expect(readSheet('\n\n').why).toBe('it is empty')
    expect(readSheet('file,arm_position,landmark,points\n').why).toBe('')
  })

  test('has dates in UTC where no zone is named, and refuses what is none', () => {
    const date = (text: string) => readSheet(`file,capture_time\na.trc,"${text}"\n`).rows[0]!
    const same = [
      ['2026-05-13T14:30', '2026-05-13T14:30:00.000Z'], ['2026-05-13 14:30:07.25', '2026-05-13T14:30:07.250Z'], ['2026-05-13t14:30+02', '2026-05-13T12:30:00.000Z'],
      ['2026-05-13T14:30:00-0330', '2026-05-13T18:00:00.000Z'], ['2026-05-13T14:30z', '2026-05-13T14:30:00.000Z'],
      ['2026-05-13T14:30:07,2599+00', '2026-05-13T14:30:07.259Z'], ['0001-01-01T00:00', '0001-01-01T00:00:00.000Z'], ['2026-05-13T23:59:59-23:59', '2026-05-14T23:58:59.000Z'],
    ] as const
    for (const [text, iso] of same) expect([date(text).recorded, date(text).why]).toEqual([iso, ''])
    for (const text of ['2026-05-13', '13.05.2026 14:30', '2026-02-30T10:00', '2026-05-13T25:00', '2026-05-13T9:00', '2026-05-13T14:30+24:00', 'never', '2026-05-13T24:00', '2026-05-13T24:00:00Z', '2026-05-13T14:60', '2026-05-13T14:30:60', '2026-05-13T14:30.5', '2026-05-13T14:30:', '0000-05-13T14:30', '0001-01-01T00:30+01', '9999-12-31T23:30-01:00', '2026-05-13T14:30+02:60', `2026-05-13T14:30:00.${'0'.repeat(50)}`]) expect(date(text).why).toContain('no date and time')
  })

  test('refuses rows without a file, and cells without a column, and knows those of markers', () => {
    const row = (text: string) => readSheet(`file,activity,landmark,points\n${text}\n`).rows[0]!
    expect(row(',golf').why).toBe('it names no file')
    for (const path of ['/a.trc', '../a.trc', 'a//b.trc']) expect(row(path).why).toContain('is no path')
    expect(row('a.trc,golf,,,more').why).toContain('“more” stands in no column')
    expect(row(',,left_knee,LKNE')).toMatchObject({ markers: true, landmark: 'left_knee', points: 'LKNE', why: '' })
    expect(row('a.trc,,left_knee,LKNE').why).toContain('landmark')
    expect(row('.\\squats\\ben.trc').file).toBe('squats/ben.trc')
  })

  test('speaks of files by patterns as a folder has them', () => {
    const fits = (pattern: string) => ['a.c3d', 'b.trc', 'x/a.c3d', 'x/y/a.c3d', 'x/y/b.trc'].filter(matcher(pattern))
    expect(fits('*.c3d')).toEqual(['a.c3d'])
    expect(fits('**/*.c3d')).toEqual(['a.c3d', 'x/a.c3d', 'x/y/a.c3d'])
    expect(fits('x/**')).toEqual(['x/a.c3d', 'x/y/a.c3d', 'x/y/b.trc'])
    expect(fits('x/*')).toEqual(['x/a.c3d'])
    expect(fits('**/y/**')).toEqual(['x/y/a.c3d', 'x/y/b.trc'])
    expect(fits('a.c*d')).toEqual(['a.c3d'])
    expect(fits('a*c3d')).toEqual(['a.c3d'])
    expect(matcher('a.c3d')('a?c3d')).toBe(false)
    expect(fits('**/**/*.trc')).toEqual(['b.trc', 'x/y/b.trc'])
    expect(fits('*/a*')).toEqual(['x/a.c3d'])
    for (const [pattern, name, fit] of [['a?c', 'abc', false], ['a*b*c', 'a-b-b-c', true], ['a*b*c', 'a-c-b', false], ['*ab', 'aab', true], ['a**', 'a', true], ['(a|b)+', '(a|b)+', true]] as const)
      expect([pattern, name, matcher(pattern)(name)]).toEqual([pattern, name, fit])
  })

  test('has patterns of very many stars read at once', () => {
    // A matcher that tries every length of each star would not end.
    expect(matcher(`${'a*'.repeat(60)}b`)('a'.repeat(400))).toBe(false)
    expect(matcher(`${'a*'.repeat(60)}b`)(`${'a'.repeat(400)}b`)).toBe(true)
    expect(matcher(`${'**/'.repeat(60)}b`)(`${'a/'.repeat(200)}a`)).toBe(false)
    expect(matcher(`${'**/a*/'.repeat(60)}b`)(`${'a/'.repeat(200)}b`)).toBe(true)
  })
})
