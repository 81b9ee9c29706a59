// Calls of the interface, which the server passes on under /console/v1 with the
// token of the session.
import type { paths } from 'kinebase/schema'
import type { Answer, Sent } from 'kinebase/types'
import { withQuery } from '../route'
import { Problem } from './problem'

let root = '/console/v1'
let link: string | null = null
let holder = ''

/** speakAs says whose session this page takes for its own: the server refuses calls under another one's cookie. */
export function speakAs(session: string): void {
  if (session !== holder && holder !== '') forgetAnswers()
  holder = session
}

/**
 * visit has all calls be those of who comes by a link: captures are read below what it shows, under their numbers, by
 * its secret alone.
 */
export function visit(secret: string): void {
  root = '/v1/shared'
  link = secret
}

/** visiting says whether somebody comes by a link. */
export function visiting(): boolean {
  return link !== null
}

export type { Answer as Good, Sent }

/** Asked is what stands in a path and behind it. */
export interface Asked {
  path?: Record<string, string>
  query?: Record<string, string | number | boolean | null | undefined>
  signal?: AbortSignal
}

/** address is where an operation is called. */
export function address(path: keyof paths, asked: Asked = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asked.path?.[name] ?? ''))
  return withQuery(root + filled, asked.query ?? {})
}

// The last answers with their tags: a list that has not changed is not sent again,
// and is the same object, so that nothing is drawn again either.
const known = new Map<string, { tag: string; body: unknown }>()
const knownMost = 50

/** refused is why an answer is not good; a session that has ended is told to the window. */
export async function refused(answer: Response): Promise<Problem> {
  const problem = await Problem.ofAnswer(answer)
  if (problem.status === 401) dispatchEvent(new CustomEvent(signedOut, { detail: problem }))
  return problem
}

/** fetched calls an address and gives an answer that is good. */
export async function fetched(
  url: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Response> {
  let answer: Response
  try {
    const own: Record<string, string> = holder === '' ? {} : { 'Kinebase-Session': holder }
    const shown = link === null ? own : { 'Kinebase-Share': link }
    const credentials = link === null ? 'same-origin' : 'omit'
    answer = await fetch(url, { credentials, cache: 'no-store', ...init, headers: { ...init.headers, ...shown } })
  } catch (e) {
    if (e instanceof DOMException && e.name === 'AbortError') throw e
    throw Problem.offline()
  }
  if (!answer.ok && answer.status !== 304) {
    throw await refused(answer)
  }
  return answer
}

/** signedOut is told to the window when the session has ended. */
export const signedOut = 'kinebase:signed-out'

// What was asked for before anybody needed it.
const early = new Map<string, Promise<Response | null>>()

/** ahead asks for what will soon be read: the next get of the same has the answer. */
export function ahead(path: keyof paths, asked: Asked = {}): void {
  const url = address(path, asked)
  early.set(
    url,
    fetch(url, { credentials: 'same-origin', cache: 'no-store', headers: { Accept: 'application/json' } }).catch(
      () => null,
    ),
  )
}

/** get reads. */
export async function get<P extends keyof paths>(path: P, asked: Asked = {}): Promise<Answer<P>> {
  const url = address(path, asked)
  const before = known.get(url)
  const begun = await early.get(url)
  early.delete(url)
  if (asked.signal?.aborted) throw new DOMException('nobody waits for it', 'AbortError')
  // What went wrong early is asked again, to be told by its own rules.
  const answer =
    begun?.ok && !begun.bodyUsed
      ? begun
      : await fetched(url, {
          headers: { Accept: 'application/json', ...(before ? { 'If-None-Match': before.tag } : {}) },
          ...(asked.signal ? { signal: asked.signal } : {}),
        })
  if (answer.status === 304 && before) return before.body as Answer<P>
  const body: unknown = await answer.json()
  const tag = answer.headers.get('ETag')
  known.delete(url)
  if (tag) {
    known.set(url, { tag, body })
    for (const oldest of known.keys()) {
      if (known.size <= knownMost) break
      known.delete(oldest)
    }
  }
  return body as Answer<P>
}

/** tagOf reads the entity tag that something has now. */
export async function tagOf(path: keyof paths, asked: Asked): Promise<string> {
  const { signal } = asked
  const answer = await fetched(address(path, asked), { method: 'HEAD', ...(signal ? { signal } : {}) })
  return answer.headers.get('ETag') ?? ''
}

/**
 * send writes. A key makes that the same click counts once, also when the answer was lost. With a tag in match nothing is
 * written to what has another one by then.
 */
export async function send<P extends keyof paths, M extends 'post' | 'put' | 'patch' | 'delete'>(
  method: M,
  path: P,
  asked: Asked & { body?: Sent<P, M>; key?: string; match?: string } = {},
): Promise<Answer<P, M>> {
  const answer = await fetched(address(path, asked), {
    method: method.toUpperCase(),
    headers: {
      Accept: 'application/json',
      ...(asked.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(asked.key ? { 'Idempotency-Key': asked.key } : {}),
      ...(asked.match ? { 'If-Match': asked.match } : {}),
    },
    ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    ...(asked.signal ? { signal: asked.signal } : {}),
  })
  if (answer.status === 204) return undefined as Answer<P, M>
  return (await answer.json()) as Answer<P, M>
}

/** forgetAnswers drops what was kept of answers, and what a tab remembers: another person may sign in. */
export function forgetAnswers(): void {
  known.clear()
  early.clear()
  try {
    sessionStorage.clear()
  } catch {
    // The browser has none for this page.
  }
}
