// Deletions that can be undone: the server is asked to delete only when the time for it is over. They last as long as
// the page is open; of what still waits when it closes nothing is deleted. What was changed while it waited is kept: the
// server is told by its tag which version was chosen.
import { useEffect, useState } from 'preact/hooks'
import { forgetName } from '../api/athletes'
import { inTurn, patient } from '../api/in-turn'
import { Problem } from '../api/problem'
import { send, signedOut, tagOf } from '../api/request'
import { things } from '../ui/text'
import { tell } from '../ui/toast'

/** For so long a deletion can be undone, in ms. */
export const grace = 30_000
/** More at a time would only wait for each other in the server. */
const atATime = 4

const changed = 'kinebase:removals'
/** removed is told to the window when something was deleted: lists look again. */
export const removed = 'kinebase:removed'

/** kept is why something that was changed meanwhile is still there. */
export const kept = 'It was changed after you chose to delete it, and was kept.'

export type Kind = 'capture' | 'athlete'

/** Thing is what is to be deleted. */
export interface Thing {
  id: string
  name: string
}

/** Removal is one deletion, of one thing or of many. */
export interface Removal {
  readonly id: number
  readonly kind: Kind
  things: readonly Thing[]
  /** When the server is asked, in ms since 1970. */
  due: number
  stage: 'waiting' | 'sending' | 'failed'
  /** How many of the things were tried. */
  tried: number
  /** The version of each thing that was chosen to be deleted, or why it could not be read. */
  tags: Map<string, string | Problem>
  /** Ends when these are known. */
  known: Promise<void>
  /** What could not be deleted, by the sentence that says why. */
  failed: Map<string, Thing[]>
  timer: ReturnType<typeof setTimeout> | undefined
  /** Ends what is being sent. */
  stop: AbortController
}

let all: readonly Removal[] = []
let owner = ''
let last = 0

function set(next: readonly Removal[]): void {
  all = next
  dispatchEvent(new Event(changed))
}

/** remove deletes things when the time to undo it is over. What waits for its deletion already is left out. */
export function remove(kind: Kind, some: readonly Thing[]): void {
  const fresh = some.filter((t) => !leaving(t.id))
  if (fresh.length > 0)
    begin({
      id: ++last,
      kind,
      things: fresh,
      due: 0,
      stage: 'waiting',
      tried: 0,
      tags: new Map(),
      known: Promise.resolve(),
      failed: new Map(),
      timer: undefined,
      stop: new AbortController(),
    })
}

function begin(r: Removal): void {
  r.due = Date.now() + grace
  r.known = look(r)
  r.timer = setTimeout(() => void act(r), grace)
  set([...all, r])
}

/** look reads which version of each thing there is. */
async function look(r: Removal): Promise<void> {
  const { signal } = r.stop
  r.tags = new Map()
  await inTurn(
    r.things,
    atATime,
    async ({ id }) => {
      try {
        await patient(async () => void r.tags.set(id, await tagged(r.kind, id, signal)), signal)
      } catch (thrown) {
        if (!signal.aborted) r.tags.set(id, Problem.from(thrown))
      }
    },
    signal,
  )
}

function tagged(kind: Kind, id: string, signal: AbortSignal): Promise<string> {
  return kind === 'capture'
    ? tagOf('/captures/{captureId}', { path: { captureId: id }, signal })
    : tagOf('/athletes/{athleteId}', { path: { athleteId: id }, signal })
}

/** undo has a deletion that waits not happen. */
export function undo(r: Removal): void {
  if (r.stage === 'waiting') leave(r)
}

/** leave forgets a deletion: what failed stays as it is. */
export function leave(r: Removal): void {
  clearTimeout(r.timer)
  r.stop.abort()
  set(all.filter((one) => one !== r))
}

/** again asks the server once more for what failed, as it is now. */
export function again(r: Removal): void {
  r.things = [...r.failed.values()].flat()
  r.known = look(r)
  void act(r)
}

async function act(r: Removal): Promise<void> {
  r.stage = 'sending'
  r.tried = 0
  r.failed = new Map()
  set([...all])
  const { signal } = r.stop
  await r.known
  let deleted = 0
  await inTurn(
    r.things,
    atATime,
    async (t) => {
      try {
        const tag = r.tags.get(t.id)
        if (tag instanceof Problem) throw tag
        await patient(() => sent(r.kind, t.id, tag ?? '', signal), signal)
        deleted++
      } catch (thrown) {
        if (signal.aborted) return
        const problem = Problem.from(thrown)
        if (problem.status === 404)
          deleted++ // what is gone already is what was wanted
        else {
          const why = problem.status === 412 ? kept : problem.message
          r.failed.set(why, [...(r.failed.get(why) ?? []), t])
        }
      }
      r.tried++
      set([...all])
    },
    signal,
  )
  if (signal.aborted) return // it was told why, or is nobody's any more
  if (deleted > 0) {
    tell(`${things(deleted, r.kind)} deleted.`)
    dispatchEvent(new Event(removed))
  }
  if (r.failed.size === 0) return leave(r)
  r.stage = 'failed'
  set([...all])
}

async function sent(kind: Kind, id: string, match: string, signal: AbortSignal): Promise<void> {
  if (kind === 'capture') await send('delete', '/captures/{captureId}', { path: { captureId: id }, match, signal })
  else {
    await send('delete', '/athletes/{athleteId}', { path: { athleteId: id }, match, signal })
    forgetName(id)
  }
}

/** end stops a deletion, also one that is being sent. */
function end(r: Removal): void {
  clearTimeout(r.timer)
  r.stop.abort()
  r.stop = new AbortController()
}

// Nobody can ask the server any more: whoever signs in to the same organization decides again.
addEventListener(signedOut, () => {
  for (const r of all) {
    if (r.stage === 'failed') continue
    const why =
      r.stage === 'waiting' ? 'The session ended before the time was over.' : 'The session ended while it was sent.'
    end(r)
    r.stage = 'failed'
    r.failed = new Map([[why, [...r.things]]])
  }
  set([...all])
})

/** belong has what waits be that of an organization; what another one had is not deleted, and forgotten. */
export function belong(organization: string): void {
  if (organization === owner) return
  owner = organization
  if (all.length > 0 && organization !== '')
    tell('Nothing more was deleted: somebody else signed in with this browser.')
  for (const r of all) end(r)
  set([])
}

/** waits says whether something is not deleted yet that is to be. */
export function waits(): boolean {
  return all.some((r) => r.stage !== 'failed')
}

/** leaving is the deletion that a thing waits for, if there is one. */
export function leaving(id: string): Removal | undefined {
  return all.find((r) => r.stage !== 'failed' && r.things.some((t) => t.id === id))
}

/** useRemovals is all deletions, and renders again when one changes. */
export function useRemovals(): readonly Removal[] {
  const [list, draw] = useState(all)
  useEffect(() => {
    const change = () => draw(all)
    addEventListener(changed, change)
    change() // one may have begun before this listened
    return () => removeEventListener(changed, change)
  }, [])
  return list
}

/** useRemoved calls look when something was deleted. */
export function useRemoved(look: () => void): void {
  useEffect(() => {
    addEventListener(removed, look)
    return () => removeEventListener(removed, look)
  }, [look])
}
