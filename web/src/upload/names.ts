// How an organization calls points of the body, as rows of tables say it: each names a landmark and its points.

import { address, fetched } from '../api/request'
import { Problem } from '../api/problem'
import type { SheetRow } from './sheet'

interface Landmark {
  name: string
  /** The ways to it, each with the points of which it is the middle. */
  points: string[][]
}

/** Names is what tables say; centres is null where none says it. */
export interface Names {
  centres: boolean | null
  landmarks: Landmark[]
}

/** unnamed is before any table says something. */
export const unnamed: Names = { centres: null, landmarks: [] }

/** named adds a row of a table to names; why says what is wrong with it. */
export function named(names: Names, row: SheetRow): Names | { why: string } {
  const { landmark, points } = row
  if (landmark === '') return { why: 'it has points of no landmark' }
  if (points === '') return { why: `it does not say of which points ${landmark} is made` }
  const twice = { why: `it names ${landmark} twice` }
  if (landmark === 'centres') {
    if (!/^(true|false)$/i.test(points)) return { why: 'the points of centres must be true or false' }
    return names.centres === null ? { ...names, centres: points.toLowerCase() === 'true' } : twice
  }
  if (names.landmarks.some((l) => l.name === landmark)) return twice
  const ways = points.split('|').map((way) => way.split('+').map((p) => p.trim()))
  if (ways.some((way) => way.includes(''))) return { why: `“${points}” has no name of a point between two signs` }
  return { ...names, landmarks: [...names.landmarks, { name: landmark, points: ways }] }
}

/** joined are names with those of a later table in the place of what they say of the same landmarks. */
export function joined(before: Names, later: Names): Names {
  const there = before.landmarks.map((l) => later.landmarks.find((o) => o.name === l.name) ?? l)
  const added = later.landmarks.filter((l) => !before.landmarks.some((o) => o.name === l.name))
  return { centres: later.centres ?? before.centres, landmarks: [...there, ...added] }
}

/** toldOf lists what is named. */
export function toldOf({ centres, landmarks }: Names): string[] {
  return [...landmarks.map((l) => l.name), ...(centres === null ? [] : ['centres'])]
}

/**
 * keepNames puts names to those that the organization has. What somebody else puts meanwhile is not lost. Names that
 * are there already are not put once more: all recordings would be measured again.
 */
export async function keepNames(names: Names): Promise<void> {
  const url = address('/landmarks')
  for (let n = 1; ; n++) {
    const now = await fetched(url, { headers: { Accept: 'application/json' } })
    const { centres, landmarks } = (await now.json()) as { centres: boolean; landmarks: Landmark[] }
    const body = JSON.stringify(joined({ centres, landmarks }, names))
    if (body === JSON.stringify({ centres, landmarks })) return
    try {
      await fetched(url, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json', 'If-Match': now.headers.get('ETag') ?? '*' },
        body,
      })
      return
    } catch (thrown) {
      if (Problem.from(thrown).status !== 412 || n === 5) throw thrown
    }
  }
}
