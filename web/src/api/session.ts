// The signed-in user. The token is in a cookie that no script can read; what is
// known here is what it may do.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { fetched, forgetAnswers, speakAs } from './request'

export type Right =
  | 'captures:read'
  | 'captures:write'
  | 'athletes:read'
  | 'athletes:write'
  | 'exports:read'
  | 'exports:write'
  | 'admin'

export interface Session {
  organization: { id: string; name: string }
  /** What the session stands for: a token, or a person whom the provider vouches for. */
  token: { id: string; name: string; scopes: Right[]; expires_at: string | null; kind?: 'person' }
  limits: { max_upload_bytes: number }
  version: string
}

const path = '/console/session'

/** session says who is signed in; a Problem of 401 when nobody is. */
export async function session(): Promise<Session> {
  return begun(await (await fetched(path)).json())
}

function begun(answer: unknown): Session {
  const s = answer as Session
  speakAs(`${s.organization.id}/${s.token.id}`)
  return s
}

/** signIn begins a session with a token. */
export async function signIn(token: string): Promise<Session> {
  const answer = await fetched(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  forgetAnswers()
  return begun(await answer.json())
}

/** signOut ends the session. It gives the address at which the provider ends its own, where there is one. */
export async function signOut(): Promise<string | null> {
  const answer = await fetched(path, { method: 'DELETE' })
  forgetAnswers()
  speakAs('')
  return answer.status === 200 ? ((await answer.json()) as { go_to: string }).go_to : null
}

/** provider names the OpenID provider that one can sign in by; null when there is none. */
export async function provider(): Promise<string | null> {
  return ((await (await fetched('/console/ways')).json()) as { provider: string | null }).provider
}

/** signInBy is the address at which a sign-in by the provider begins, which ends on a screen. */
export function signInBy(screen: string): string {
  return `/console/sign-in?to=${encodeURIComponent(screen)}`
}

export const SessionContext = createContext<Session | null>(null)

/** useSession is who is signed in. */
export function useSession(): Session {
  const s = useContext(SessionContext)
  if (!s) throw new Error('there is no session here')
  return s
}

/** useMay says what the token may do: what it may not is not offered. */
export function useMay(): (right: Right) => boolean {
  const { scopes } = useSession().token
  return (right) => scopes.includes(right)
}
