// Files that were chosen or dropped at once, and the tables among them: a table speaks of the files of its own choice
// alone, for files of one name lie in many folders.

import { mark, pathOf, found } from './kinds'

/** Group is the files of one choice, and the tables that speak of them. */
export interface Group {
  files: readonly File[]
  sheets: readonly File[]
}

/** Groups is all that was chosen; loose tables came without files: somebody must say which files they speak of. */
export interface Groups {
  groups: readonly Group[]
  loose: readonly File[]
}

/** none is before anything was chosen. */
export const none: Groups = { groups: [], loose: [] }

/**
 * taken adds a choice. A file that is chosen once more together with tables belongs to them from then on. A table that
 * comes alone is the corrected one of the only table of its path that is faulty; else it is loose.
 */
export function taken(
  { groups, loose }: Groups,
  files: readonly File[],
  sheets: readonly File[],
  faulty: ReadonlySet<File>,
): Groups {
  const known = new Map(groups.flatMap((g) => g.files.map((f) => [mark(f), f] as const)))
  const mine = new Map<string, File>()
  for (const f of files) {
    const one = known.get(mark(f))
    if (!one || sheets.length > 0) mine.set(mark(f), one ?? f)
  }
  if (mine.size > 0) {
    const others = groups.map((g) => ({ ...g, files: g.files.filter((f) => !mine.has(mark(f))) }))
    return { groups: [...others, { files: [...mine.values()], sheets }].filter((g) => g.files.length > 0), loose }
  }
  const wrong = groups.flatMap((g) => g.sheets.filter((s) => faulty.has(s)))
  const [sheet, ...more] = sheets
  const old = sheet ? wrong.filter((s) => pathOf(s) === pathOf(sheet)) : []
  if (!sheet || more.length > 0 || old.length !== 1) return { groups, loose: [...loose, ...sheets] }
  return { groups: groups.map((g) => (g.sheets.includes(old[0]!) ? corrected(g, sheet) : g)), loose }
}

/** given has a loose table speak of a group. */
export function given({ groups, loose }: Groups, sheet: File, to: Group): Groups {
  return { groups: groups.map((g) => (g === to ? corrected(g, sheet) : g)), loose: loose.filter((s) => s !== sheet) }
}

/** corrected puts a table in the place of the one of its path, or of the only one. */
function corrected(g: Group, sheet: File): Group {
  const same = g.sheets.find((s) => pathOf(s) === pathOf(sheet))
  const old = same ?? (g.sheets.length === 1 ? g.sheets[0] : undefined)
  if (old && !same) found(sheet, pathOf(old))
  return { ...g, sheets: [...g.sheets.filter((s) => s !== old), sheet] }
}

/** without leaves a file out. */
export function without({ groups, loose }: Groups, file: File): Groups {
  const rest = groups.map((g) => ({ ...g, files: g.files.filter((f) => f !== file) }))
  return { groups: rest.filter((g) => g.files.length > 0), loose }
}
