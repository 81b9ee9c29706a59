import { useEffect, useRef, useState } from 'preact/hooks'
import type { Problem } from '../../api/problem'
import { useAction, useQuery } from '../../api/query'
import { provider, signIn, signInBy, type Session } from '../../api/session'
import { Button, LinkButton } from '../../ui/button'
import { Field } from '../../ui/field'
import { ProblemBox } from '../../ui/problem'
import icon from '../../style/icon.svg'

/** SignIn takes a token and begins a session, or leads to the OpenID provider, which leads back to a screen. */
export default function SignIn({
  ended,
  to,
  onSignedIn,
}: {
  ended: Problem | null
  to: string
  onSignedIn: (s: Session) => void
}) {
  const [token, setToken] = useState('')
  const by = useQuery('ways to sign in', provider)
  const form = useRef<HTMLFormElement>(null)
  const begin = useAction(async () => onSignedIn(await signIn(token.trim())))
  useEffect(() => {
    document.title = 'Sign in · Kinebase'
    form.current?.querySelector('input')?.focus()
  }, [])
  const wrong = begin.problem && !begin.problem.passing ? begin.problem : null
  return (
    <main class="alone">
      <form
        ref={form}
        class="card sign-in"
        onSubmit={(e) => {
          e.preventDefault()
          void begin.run()
        }}
      >
        <img src={icon} alt="" width={48} height={48} />
        <h1>Kinebase</h1>
        {by.data && (
          <LinkButton kind="main" href={signInBy(to)}>
            Sign in with {by.data}
          </LinkButton>
        )}
        <p class="quiet">
          {by.data ? 'Or sign' : 'Sign'} in with a token of your organization. Whoever runs this server makes one with{' '}
          <code>kinebase token create</code>.
        </p>
        {ended && !begin.problem && (
          <p class="notice" role="status">
            The session has ended: {ended.message}
          </p>
        )}
        <Field
          label="Token"
          type="password"
          name="token"
          required
          value={token}
          placeholder="kb_…"
          autocomplete="current-password"
          dir="ltr"
          onInput={(e) => setToken(e.currentTarget.value)}
          fault={
            wrong
              ? wrong.status === 401
                ? 'This token is not known here, or it has expired or was revoked.'
                : wrong.message
              : undefined
          }
        />
        {begin.problem?.passing && <ProblemBox problem={begin.problem} />}
        <Button kind={by.data ? 'plain' : 'main'} type="submit" busy={begin.running}>
          {begin.running ? 'Signing in…' : by.data ? 'Sign in with the token' : 'Sign in'}
        </Button>
      </form>
    </main>
  )
}
