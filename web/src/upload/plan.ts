// Reads the tables among the files, and finds the files that they speak of.

import { localOf } from '../ui/moment'
import { athletesMost } from './athletes'
import type { Called } from './called'
import type { Group } from './groups'
import { pathOf } from './kinds'
import { joined, named, unnamed, type Names } from './names'
import { open, type Laid, type Own } from './own'
import { matcher, readSheet, sheetName, type Sheet, type SheetRow } from './sheet'

/** largest is how large a table may be, in bytes. */
const largest = 4 << 20

/** Plan is what tables say. */
export interface Plan {
  /** Each file of which a table says something, and the table. */
  rows: ReadonlyMap<File, Laid>
  /** The files whose rows are refused, and why: rather than without what the row says they are not sent. */
  refused: ReadonlyMap<File, string>
  /** The tables that cannot be read, or have rows that are refused. */
  faulty: ReadonlySet<File>
  /** How points are called, of all recordings of the organization. */
  names: Names
  /** The faults of lines, in words. */
  notes: readonly string[]
}

/**
 * planOf reads the tables of each group. called is null for whom athletes may not be read. It fails when the server
 * cannot be asked.
 */
export async function planOf(groups: readonly Group[], called: Called | null): Promise<Plan> {
  const rows = new Map<File, Laid>()
  const refused = new Map<File, string>()
  const faulty = new Set<File>()
  const notes: string[] = []
  const tables: { folder: string; names: Names }[] = []
  const deep = (f: File) => pathOf(f).split('/').length
  const paths = groups.flatMap((g) => g.sheets.map(pathOf))
  // The nearest table that has a row for a file counts.
  const sorted = groups.flatMap(({ files, sheets }, n) =>
    [...sheets].sort((a, b) => deep(b) - deep(a)).map((sheet) => ({ sheet, files, choice: n + 1 })),
  )
  for (const { sheet, files, choice } of sorted) {
    const { rows: all, why } = await read(sheet)
    const path = pathOf(sheet)
    const name = paths.filter((p) => p === path).length > 1 ? `${path} (choice ${choice})` : path
    const folder = path.slice(0, -sheetName.length)
    const below = files.filter((f) => pathOf(f).startsWith(folder) && !rows.has(f) && !refused.has(f))
    if (why) {
      faulty.add(sheet)
      notes.push(`${name} cannot be read: ${why}`)
      for (const f of below) refused.set(f, `${name} cannot be read`)
      continue
    }
    const find = finder(all)
    const used = new Map<SheetRow, File[]>()
    let mine = unnamed
    for (const f of below) {
      const row = find(pathOf(f).slice(folder.length).normalize('NFC'))
      if (row) used.set(row, [...(used.get(row) ?? []), f])
    }
    for (const row of all) {
      const at = `${name}, line ${row.line}`
      const own = row.why || row.markers ? null : await ownOf(row, called)
      const points = !row.why && row.markers ? named(mine, row) : mine
      const wrong = row.why || (own && 'why' in own ? own.why : '') || ('why' in points ? points.why : '')
      if (!('why' in points)) mine = points
      if (wrong) faulty.add(sheet)
      if (wrong) notes.push(`${at}: ${wrong}`)
      else if (!row.markers && !used.has(row))
        notes.push(`${at}: no file is “${row.file}”, or an earlier line speaks of it`)
      for (const f of used.get(row) ?? []) {
        if (wrong) refused.set(f, `${at}, is refused: ${wrong}`)
        else rows.set(f, { own: own as Own, sheet })
      }
    }
    tables.push({ folder, names: mine })
  }
  // As the import goes through folders: what a later table says counts.
  tables.sort((a, b) => (a.folder < b.folder ? -1 : 1))
  const names = tables.reduce((all, t) => joined(all, t.names), unnamed)
  return { rows, refused, faulty, names, notes }
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
  return { ...open, athletes, activity, movement, dimensions, recorded: localOf(recorded || null), moment: recorded }
}
