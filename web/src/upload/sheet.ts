// The table kinebase.csv that lies beside motion files and says of them what they do not say themselves. It is read as
// the import on the command line reads it.

import { dimensionNames } from '../labels'

/** sheetName is what such a table is called. */
export const sheetName = 'kinebase.csv'

/** SheetRow is what a line says of some files. */
export interface SheetRow {
  line: number
  /** A path from the table's folder on, or a pattern; '' in a row that was refused for it, or speaks of markers. */
  file: string
  /** What athletes are called: ids, e-mail addresses or names. */
  athletes: string[]
  activity: string
  movement: string
  dimensions: Record<string, string>
  /** When it was recorded, in ISO 8601; '' is not said. */
  recorded: string
  /** It says how points are called, of all recordings and of no file. */
  markers: boolean
  /** The landmark that such a row names, and its points as they are written. */
  landmark: string
  points: string
  /** Why the row is refused, and its files with it; '' when it is not. */
  why: string
}

/** Sheet is a table; why says that none of its rows can be relied on. */
export interface Sheet {
  rows: SheetRow[]
  why: string
}

const columns = ['file', 'athlete', 'activity', 'movement', 'capture_time', 'landmark', 'points']

/** readSheet reads the text of a table. */
export function readSheet(text: string): Sheet {
  const broken = (why: string): Sheet => ({ rows: [], why })
  const lines = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const told = /^"?sep=([,;\t|])[,;" ]*\n/i.exec(lines)
  // The blank line in the place of what tells the separator keeps the numbers of the others.
  const { records, unmatched } = told
    ? recordsOf(lines.slice(told[0].length - 1), told[1]!)
    : recordsOf(lines, separator(lines))
  if (unmatched > 0) return broken(`line ${unmatched} has quotes that do not match`)
  const [head, ...body] = records.filter((r) => r.cells.some((c) => c.trim() !== ''))
  if (!head) return broken('it is empty')
  const names = head.cells.map((c) => c.trim().toLowerCase())
  for (const [i, name] of names.entries()) {
    if (name === '') continue
    if (names.indexOf(name) < i) return broken(`its column ${name} is there twice`)
    if (!columns.includes(name) && !dimensionNames.includes(name)) return broken(`${name} is no column of such a table`)
  }
  if (!names.includes('file') && !names.includes('landmark')) return broken('it has no column file')
  return { rows: body.map(({ line, cells }) => rowOf(line, names, cells)), why: '' }
}

function rowOf(line: number, names: readonly string[], cells: readonly string[]): SheetRow {
  const said: Record<string, string> = {}
  let why = ''
  for (const [i, cell] of cells.entries()) {
    const text = cell.trim()
    if (text === '') continue
    if (names[i]) said[names[i]] = text
    else why ||= `“${text}” stands in no column that has a name`
  }
  const {
    file = '',
    athlete = '',
    activity = '',
    movement = '',
    capture_time = '',
    landmark,
    points,
    ...dimensions
  } = said
  const path = file.replaceAll('\\', '/').normalize('NFC').replace(/^\.\//, '')
  const markers = landmark !== undefined || points !== undefined
  if (!markers && path.split('/').some((part) => part === '' || part === '.' || part === '..'))
    why ||= file === '' ? 'it names no file' : `“${file}” is no path from the table on`
  if (markers && (path || athlete || activity || movement || capture_time || Object.keys(dimensions).length > 0))
    why ||= 'a landmark must stand in a row without a file, an athlete or labels'
  const recorded = capture_time === '' ? '' : moment(capture_time)
  if (recorded === null) why ||= `“${capture_time}” is no date and time such as 2026-05-13T14:30`
  const athletes = athlete.split('|').flatMap((a) => a.trim().replace(/\s+/g, ' ') || [])
  const row = { line, file: path, athletes, activity, movement, dimensions, recorded: recorded ?? '', markers, why }
  return { ...row, landmark: landmark ?? '', points: points ?? '' }
}

/**
 * moment is a date and time of ISO 8601 as the interface takes it, in UTC where no zone is named; null for none. It is
 * cut to the millisecond.
 */
function moment(text: string): string | null {
  const shape =
    /^(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?:(:[0-5]\d)([.,]\d+)?)?(?:Z|([+-](?:[01]\d|2[0-3]))(?::?([0-5]\d))?)?$/i
  const [, day, minute, second = ':00', part = '', hours, minutes = '00'] = shape.exec(text) ?? []
  if (!day || text.length > 64) return null
  // A day that its month does not have becomes one of the next month in some browsers.
  if (new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) !== day) return null
  const zone = hours ? `${hours}:${minutes}` : 'Z'
  const t = new Date(`${day}T${minute}${second}${part.replace(',', '.').slice(0, 4)}${zone}`)
  return t.getUTCFullYear() >= 1 && t.getUTCFullYear() <= 9999 ? t.toJSON() : null
}

/** separator is the one of comma, semicolon and tab that the first line has most of. */
function separator(text: string): string {
  const first = text.trimStart().split('\n', 1)[0]!
  const times = (c: string) => first.split(c).length
  return [';', '\t'].reduce((best, c) => (times(c) > times(best) ? c : best), ',')
}

interface Record_ {
  line: number
  cells: string[]
}

/** recordsOf parts a text into rows and cells; unmatched is the line where quotes do not match, 0 when they do. */
function recordsOf(text: string, comma: string): { records: Record_[]; unmatched: number } {
  const records: Record_[] = []
  const ends = new RegExp(`[\\n${comma === '|' ? '\\|' : comma}]`, 'g')
  let at = 0
  for (let line = 1; at < text.length; line++) {
    const record: Record_ = { line, cells: [] }
    for (;;) {
      while (comma !== '\t' && (text[at] === ' ' || text[at] === '\t')) at++
      let cell = ''
      if (text[at] === '"') {
        const from = at
        do {
          const end = text.indexOf('"', at + 1)
          if (end < 0) return { records, unmatched: record.line }
          // Two quotes in a row stand for one.
          cell += (at === from ? '' : '"') + text.slice(at + 1, end)
          at = end + 1
        } while (text[at] === '"')
        line += cell.split('\n').length - 1
        if (at < text.length && text[at] !== comma && text[at] !== '\n') return { records, unmatched: line }
      } else {
        ends.lastIndex = at
        const end = ends.exec(text)?.index ?? text.length
        cell = text.slice(at, end)
        at = end
        if (cell.includes('"')) return { records, unmatched: line }
      }
      record.cells.push(cell)
      if (text[at] !== comma) break
      at++
    }
    at++
    records.push(record)
  }
  return { records, unmatched: 0 }
}

/**
 * matcher says whether a row speaks of a file, by the path from the table's folder on: * stands for any part of a name,
 * ** for any number of folders. However many stars there are, it takes no longer than the product of both lengths.
 */
export function matcher(file: string): (path: string) => boolean {
  const parts = file.split('/')
  return (path) => {
    const names = path.split('/')
    // at[i] says whether the parts that have been gone through match the first i names.
    let at = [true, ...names.map(() => false)]
    for (const part of parts) {
      const next: boolean[] = []
      for (const [i, before] of at.entries())
        next[i] = part === '**' ? before || next[i - 1] === true : at[i - 1] === true && named(part, names[i - 1]!)
      at = next
    }
    return at[names.length]!
  }
}

/** named matches one name: the last star that was too short is made longer. */
function named(part: string, name: string): boolean {
  let [star, rest, i, n] = [-1, 0, 0, 0]
  while (n < name.length) {
    if (part[i] === '*') {
      star = i++
      rest = n
    } else if (part[i] === name[n]) {
      i++
      n++
    } else if (star >= 0) {
      i = star + 1
      n = ++rest
    } else return false
  }
  return /^\**$/.test(part.slice(i))
}
