// Reads the tables among the files, and finds the files that they speak of.

import { localOf } from '../ui/moment'
import { athletesMost } from './athletes'
import type { Called } from './called'
import { pathOf } from './kinds'
import type { Own } from './own'
import { matcher, readSheet, sheetName, type Sheet, type SheetRow } from './sheet'

/** largest is how large a table may be, in bytes. */
const largest = 4 << 20

/** Plan is what tables say. */
export interface Plan {
  /** Each file of which a table says something, and the table. */
  rows: ReadonlyMap<File, { own: Own; sheet: File }>
  /** The files whose rows are refused, and why: rather than without what the row says they are not sent. */
  refused: ReadonlyMap<File, string>
  /** The faults of lines, in words. */
  notes: readonly string[]
}

/** planOf reads tables. called is null for whom athletes may not be read. It fails when the server cannot be asked. */
export async function planOf(sheets: readonly File[], files: readonly File[], called: Called | null): Promise<Plan> {
  const rows = new Map<File, { own: Own; sheet: File }>()
  const refused = new Map<File, string>()
  const notes: string[] = []
  const deep = (f: File) => pathOf(f).split('/').length
  // The nearest table that has a row for a file counts.
  for (const sheet of [...sheets].sort((a, b) => deep(b) - deep(a))) {
    const { rows: all, why } = await read(sheet)
    const folder = pathOf(sheet).slice(0, -sheetName.length)
    const below = files.filter((f) => pathOf(f).startsWith(folder) && !rows.has(f) && !refused.has(f))
    if (why) {
      notes.push(`${pathOf(sheet)} cannot be read: ${why}`)
      for (const f of below) refused.set(f, `${pathOf(sheet)} cannot be read`)
      continue
    }
    const find = finder(all)
    const used = new Map<SheetRow, File[]>()
    for (const f of below) {
      const row = find(pathOf(f).slice(folder.length).normalize('NFC'))
      if (row) used.set(row, [...(used.get(row) ?? []), f])
    }
    for (const row of all) {
      const at = `${pathOf(sheet)}, line ${row.line}`
      const own = row.why || row.markers ? null : await ownOf(row, called)
      const wrong = row.why || (own && 'why' in own ? own.why : '')
      if (wrong) notes.push(`${at}: ${wrong}`)
      else if (row.markers) notes.push(`${at}: names of markers are read by \`kinebase import\` alone`)
      else if (!used.has(row)) notes.push(`${at}: no file is “${row.file}”, or an earlier line speaks of it`)
      for (const f of used.get(row) ?? []) {
        if (wrong) refused.set(f, `${at}, is refused: ${wrong}`)
        else rows.set(f, { own: own as Own, sheet })
      }
    }
  }
  return { rows, refused, notes }
}

const sheetsRead = new WeakMap<File, Promise<Sheet>>()

function read(file: File): Promise<Sheet> {
  const known = sheetsRead.get(file)
  if (known) return known
  const one = (async (): Promise<Sheet> => {
    if (file.size > largest) return { rows: [], why: 'it is larger than 4 MiB' }
    try {
      return readSheet(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()))
    } catch {
      return { rows: [], why: 'it is not in UTF-8' }
    }
  })()
  sheetsRead.set(file, one)
  return one
}

/** finder gives the first row that speaks of a path. */
function finder(rows: readonly SheetRow[]): (path: string) => SheetRow | undefined {
  const exact = new Map<string, SheetRow>()
  const stars: { row: SheetRow; fits: (path: string) => boolean }[] = []
  for (const row of rows) {
    if (row.file === '') continue
    if (row.file.includes('*')) stars.push({ row, fits: matcher(row.file) })
    else if (!exact.has(row.file)) exact.set(row.file, row)
  }
  return (path) => {
    const one = exact.get(path)
    const other = stars.find(({ fits }) => fits(path))?.row
    return one && other ? (one.line < other.line ? one : other) : (one ?? other)
  }
}

async function ownOf(row: SheetRow, called: Called | null): Promise<Own | { why: string }> {
  const athletes: string[] = []
  for (const who of row.athletes) {
    if (!called) return { why: 'it names an athlete, and this token reads none' }
    const found = await called.find(who)
    if ('why' in found) return found
    if (!athletes.includes(found.id)) athletes.push(found.id)
  }
  if (athletes.length > athletesMost) return { why: `it names more than ${athletesMost} athletes` }
  const { activity, movement, dimensions, recorded } = row
  return { athletes, activity, movement, dimensions, recorded: localOf(recorded || null) }
}
