// Names of athletes, for lists that have their ids alone.
import { useEffect, useState } from 'preact/hooks'
import type { Good } from './request'
import { get, signedOut } from './request'

export type Athlete = Good<'/athletes/{athleteId}'>['athlete']

/** nameOf is how an athlete is called. */
export function nameOf(a: Pick<Athlete, 'first_name' | 'last_name'>): string {
  return [a.first_name, a.last_name].filter(Boolean).join(' ')
}

const names = new Map<string, string>()
const asked = new Map<string, Promise<void>>()
addEventListener(signedOut, () => names.clear())

/** forgetName has a name asked for again: it was changed, or the athlete deleted. */
export function forgetName(id: string): void {
  names.delete(id)
}

/** learnName keeps a name that came with something else, so that nobody asks for it. */
export function learnName(id: string, name: string): void {
  names.set(id, name)
}

const atOnce = 6

/** useNames gives the names of athletes as they become known; with ask false, none. */
export function useNames(ids: readonly (string | null)[], ask: boolean): ReadonlyMap<string, string> {
  const [, drawn] = useState(0)
  const wanted = [...new Set(ids.filter((id): id is string => id !== null))].filter((id) => !names.has(id))
  const key = wanted.join()
  useEffect(() => {
    if (!ask || wanted.length === 0) return
    let gone = false
    const queue = [...wanted]
    const work = async () => {
      for (let id = queue.shift(); id !== undefined && !gone; id = queue.shift()) {
        const one = id
        const request =
          asked.get(one) ??
          get('/athletes/{athleteId}', { path: { athleteId: one } })
            .then(({ athlete }) => {
              names.set(one, nameOf(athlete))
            })
            .finally(() => asked.delete(one))
        asked.set(one, request)
        await request.catch(() => undefined) // the id is shown instead
      }
    }
    void Promise.all(Array.from({ length: atOnce }, work)).then(() => {
      if (!gone) drawn((n) => n + 1)
    })
    return () => {
      gone = true
    }
  }, [key, ask])
  return names
}
