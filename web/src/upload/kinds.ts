/** The endings of files that are taken. */
export const endings = ['.c3d', '.trc', '.mot', '.sto', '.bvh', '.csv', '.mov', '.mp4'] as const

/** inWords lists them for people. */
export const inWords = 'C3D, TRC, MOT, STO, BVH, CSV, MOV, MP4'

/** unfit says why a file is not sent at all, by its name and size; "" when it is. most is the largest size taken. */
export function unfit(f: File, most: number): string {
  const name = f.name.toLowerCase()
  if (name === 'kinebase.csv') return 'such a table must be called kinebase.csv, in small letters'
  if (!endings.some((e) => name.endsWith(e))) return 'not a kind of file that is read'
  if (f.size === 0) return 'empty'
  return f.size > most ? 'larger than this server takes' : ''
}

/** isVideo says whether a file is one whose cameras must be told of. */
export function isVideo(name: string): boolean {
  return /\.(mov|mp4)$/i.test(name)
}

/** joined puts more files to those that are there already, without those that are there. */
export function joined(before: readonly File[], more: readonly File[]): File[] {
  const seen = new Set(before.map(mark))
  return [...before, ...more.filter((f) => !seen.has(mark(f)) && seen.add(mark(f)))]
}

/** mark tells files apart. Files of one name lie in many folders; those that are the same in all of this are one. */
export const mark = (f: File) => `${likeness(f)} ${copies.get(f) ?? 0}`

const likeness = (f: File) => `${places.get(f) ?? f.webkitRelativePath} ${f.name} ${f.size} ${f.lastModified}`

const places = new WeakMap<File, string>()

/** copies are the numbers of files that look like an earlier one and have other bytes. */
const copies = new WeakMap<File, number>()

/** tellApart has more files, which look like others by path, size and time, have marks of their own by their bytes. */
export async function tellApart(before: readonly File[], more: readonly File[]): Promise<void> {
  const kinds = new Map<string, File[]>() // one file for each content
  for (const f of [...before, ...more]) {
    const alike = kinds.get(likeness(f)) ?? []
    if (!copies.has(f)) {
      let n = 0
      while (n < alike.length && !(await equal(alike[n]!, f))) n++
      copies.set(f, n)
    }
    alike[copies.get(f)!] ??= f
    kinds.set(likeness(f), alike)
  }
}

/** equal compares bytes; a file that cannot be read is like no other. */
async function equal(a: File, b: File): Promise<boolean> {
  const step = 1 << 20
  try {
    for (let at = 0; at < a.size; at += step) {
      const [one, two] = await Promise.all(
        [a, b].map(async (f) => new Uint8Array(await f.slice(at, at + step).arrayBuffer())),
      )
      if (!one!.every((v, i) => v === two![i])) return false
    }
  } catch {
    return false
  }
  return true
}

/** pathOf is where a file was found, from the folder on that was chosen or dropped; its name where there was none. */
export function pathOf(f: File): string {
  return ((places.get(f) ?? f.webkitRelativePath) || f.name).replace(/^\//, '')
}

/** found notes in which folder a file was that was dropped: it does not know itself. */
export function found(file: File, path: string): void {
  places.set(file, path)
}
