// Athletes by what a table calls them.

import { learnName, nameOf, type Athlete } from '../api/athletes'
import { Problem } from '../api/problem'
import { get } from '../api/request'

/** How many athletes are looked at in one page. */
const atOnce = 500
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** longest is how much of a text may be searched for, in code points. */
const longest = 128

/** folded is how names and addresses are compared: without case, each character by itself, as the server does it. */
function folded(text: string): string {
  const one = (c: string) => {
    const upper = c.toUpperCase()
    // Those of which several become (ß is SS) stay, and İ is i without a second dot.
    const [lower = ''] = ([...upper].length === 1 ? upper : c).toLowerCase()
    return lower
  }
  return [...text].map(one).join('').normalize('NFC')
}

/** Found is an athlete's id, or why there is none. */
export type Found = { id: string } | { why: string }

/** Called finds athletes by id, e-mail address or "First Last"; who was found is not asked for again. */
export class Called {
  private readonly found = new Map<string, { id: string }>()

  /** find gives who is called so. It fails when the server cannot be asked. */
  async find(who: string): Promise<Found> {
    const known = this.found.get(who)
    if (known) return known
    const one = uuid.test(who) ? await byId(who.toLowerCase()) : await byName(who)
    if ('id' in one) this.found.set(who, one)
    return one
  }
}

async function byId(athleteId: string): Promise<Found> {
  try {
    const { athlete } = await get('/athletes/{athleteId}', { path: { athleteId } })
    learnName(athlete.id, nameOf(athlete))
    return { id: athlete.id }
  } catch (thrown) {
    if (Problem.from(thrown).status === 404) return { why: `${athleteId} is no athlete of this organization` }
    throw thrown
  }
}

async function byName(who: string): Promise<Found> {
  const wanted = folded(who)
  const mail = who.includes('@')
  // The words of stored names may be further apart: the longest one is searched for, as it is written. The server folds
  // it: folded here, it could be another one.
  const word = mail ? who : who.split(' ').reduce((a, b) => (b.length > a.length ? b : a))
  const q = [...word].slice(0, longest).join('')
  const same = (a: Athlete) => folded(mail ? (a.email ?? '') : nameOf(a).trim().replace(/\s+/g, ' ')) === wanted
  const all: Athlete[] = []
  for (let offset = 0; ; offset += atOnce) {
    const { athletes } = await get('/athletes', { query: { q, limit: atOnce, offset } })
    all.push(...athletes.filter(same))
    if (athletes.length < atOnce) break
  }
  if (all.length === 0) return { why: `nobody ${mail ? 'has the e-mail address' : 'is called'} “${who}”` }
  if (all.length > 1)
    return { why: `${all.length} athletes are called “${who}”: write the id of the one that is meant` }
  learnName(all[0]!.id, nameOf(all[0]!))
  return { id: all[0]!.id }
}
