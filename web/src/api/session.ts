// The signed-in user. The token is in a cookie that no script can read; what is
// known here is what it may do.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { fetched, forgetAnswers } from './request'

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
  token: { id: string; name: string; scopes: Right[]; expires_at: string | null }
  limits: { max_upload_bytes: number }
  version: string
}

const path = '/console/session'

/** session says who is signed in; a Problem of 401 when nobody is. */
export async function session(): Promise<Session> {
  return (await (await fetched(path)).json()) as Session
}

/** signIn begins a session with a token. */
export async function signIn(token: string): Promise<Session> {
  const answer = await fetched(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  forgetAnswers()
  return (await answer.json()) as Session
}

/** signOut ends the session. */
export async function signOut(): Promise<void> {
  await fetched(path, { method: 'DELETE' })
  forgetAnswers()
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
