import { useState } from 'preact/hooks'
import { useAction, useQuery } from '../../api/query'
import { get, send, type Good } from '../../api/request'
import { useSession } from '../../api/session'
import { Button } from '../../ui/button'
import { Chip } from '../../ui/chip'
import { Dialog } from '../../ui/dialog'
import { Empty, Loading } from '../../ui/empty'
import { ProblemBox } from '../../ui/problem'
import { ACTIONS, Sheet } from '../../ui/sheet'
import { ago, time } from '../../ui/text'
import { tell } from '../../ui/toast'
import { Create } from './create'
import { Secret } from './secret'
import './tokens.css'

type Token = Good<'/tokens'>['tokens'][number]
type Asked = { what: 'rotate' | 'revoke'; token: Token }

/** Tokens is the list of all tokens of the organization, newest first. */
export default function Tokens() {
  const [creating, setCreating] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [shown, setShown] = useState<{ name: string; token: string } | null>(null)
  const list = useQuery('tokens', (signal) => get('/tokens', { signal }), { every: 30_000 })
  const show = (t: { name: string; token: string }) => {
    setCreating(false)
    setAsked(null)
    setShown(t)
    list.refresh()
  }
  return (
    <>
      <div class="head">
        <h1>Tokens</h1>
        <Button kind="main" onClick={() => setCreating(true)}>
          Create a token
        </Button>
      </div>
      {list.problem && <ProblemBox problem={list.problem} retryAt={list.retryAt} onRetry={list.refresh} />}
      {!list.data && !list.problem && <Loading />}
      {list.data &&
        (list.data.tokens.length === 0 ? (
          <Empty title="No tokens" />
        ) : (
          <Rows tokens={list.data.tokens} onAsk={setAsked} />
        ))}
      {creating && <Create onClose={() => setCreating(false)} onCreated={show} />}
      {asked && (
        <Confirm
          {...asked}
          onClose={() => setAsked(null)}
          onRotated={show}
          onRevoked={() => {
            setAsked(null)
            list.refresh()
          }}
        />
      )}
      {shown && <Secret {...shown} onClose={() => setShown(null)} />}
    </>
  )
}

function Rows({ tokens, onAsk }: { tokens: Token[]; onAsk: (a: Asked) => void }) {
  const own = useSession().token.id
  return (
    <Sheet
      label="Tokens"
      columns={['Name', ['May', 'fold-first'], ['Last used', 'fold'], ['Expires', 'fold'], ['State', 'fold'], ACTIONS]}
    >
      {tokens.map((t) => {
        const state = stateOf(t)
        const chip = <Chip tone={state === 'Active' ? 'good' : state === 'Revoked' ? 'quiet' : 'bad'}>{state}</Chip>
        return (
          <tr key={t.id}>
            <td class="wide folding">
              <span class="strong" dir="auto">
                {t.name}
              </span>
              {t.id === own && <span class="quiet"> (this session)</span>}
              <div class="folded-first quiet small">{summary(t.scopes)}</div>
              <div class="folded quiet small dots">
                <span>{t.last_used_at ? `used ${ago(t.last_used_at)}` : 'never used'}</span>
                {state !== 'Revoked' && (
                  <span>
                    {t.expires_at
                      ? `${state === 'Expired' ? 'expired' : 'expires'} ${ago(t.expires_at)}`
                      : 'does not expire'}
                  </span>
                )}
              </div>
              <div class="folded">{chip}</div>
            </td>
            <td class="fold-first">{summary(t.scopes)}</td>
            <td class="fit fold">
              {t.last_used_at ? (
                <time dateTime={t.last_used_at} title={time(t.last_used_at)}>
                  {ago(t.last_used_at)}
                </time>
              ) : (
                <span class="quiet">Never</span>
              )}
            </td>
            <td class="fit fold">
              {t.expires_at ? (
                <time dateTime={t.expires_at} title={time(t.expires_at)}>
                  {ago(t.expires_at)}
                </time>
              ) : (
                'Never'
              )}
            </td>
            <td class="fit fold">{chip}</td>
            <td class="fit">
              {state !== 'Revoked' && (
                <span class="row end acts">
                  <Button aria-label={`Rotate ${t.name}`} onClick={() => onAsk({ what: 'rotate', token: t })}>
                    Rotate
                  </Button>
                  <Button
                    kind="danger"
                    aria-label={`Revoke ${t.name}`}
                    onClick={() => onAsk({ what: 'revoke', token: t })}
                  >
                    Revoke
                  </Button>
                </span>
              )}
            </td>
          </tr>
        )
      })}
    </Sheet>
  )
}

function stateOf(t: Token): 'Active' | 'Expired' | 'Revoked' {
  if (t.revoked_at) return 'Revoked'
  return t.expires_at && Date.parse(t.expires_at) <= Date.now() ? 'Expired' : 'Active'
}

const reads = ['captures:read', 'athletes:read', 'exports:read']
const writes = ['captures:write', 'athletes:write', 'exports:write']

/** summary says what scopes allow in few words. */
function summary(scopes: readonly string[]): string {
  const all = (list: string[]) => list.every((s) => scopes.includes(s))
  if (scopes.includes('admin') && all(reads) && all(writes)) return 'Everything'
  if (scopes.length === 6 && all(reads) && all(writes)) return 'Read and write'
  if (scopes.length === 3 && all(reads)) return 'Read'
  return scopes.join(', ')
}

/** Confirm asks before a token stops to work. */
function Confirm({
  what,
  token,
  onClose,
  onRotated,
  onRevoked,
}: Asked & { onClose: () => void; onRotated: (t: { name: string; token: string }) => void; onRevoked: () => void }) {
  const own = useSession().token.id === token.id
  const act = useAction(async () => {
    if (what === 'rotate') {
      onRotated(await send('post', '/tokens/{id}/rotate', { path: { id: token.id } }))
    } else {
      await send('delete', '/tokens/{id}', { path: { id: token.id } })
      tell('The token was revoked.')
      onRevoked()
    }
  })
  return (
    <Dialog title={what === 'rotate' ? 'Rotate the token' : 'Revoke the token'} onClose={onClose}>
      {act.problem && <ProblemBox problem={act.problem} />}
      <p>
        {what === 'rotate' ? 'The old secret of ' : ''}
        <strong dir="auto">{token.name}</strong>
        {what === 'rotate'
          ? ' stops working at once, and a new one is shown once.'
          : ' stops working at once, and for good.'}
        {own && ' This session uses it: you are signed out.'}
      </p>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" busy={act.running} onClick={() => void act.run()}>
          {what === 'rotate' ? 'Rotate' : 'Revoke'}
        </Button>
      </footer>
    </Dialog>
  )
}
