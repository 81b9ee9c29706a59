import { useState } from 'preact/hooks'
import { newKey } from 'kinebase/key'
import { useAction, useQuery } from '../../api/query'
import { get, send } from '../../api/request'
import { go } from '../../route'
import { Button } from '../../ui/button'
import { Chip } from '../../ui/chip'
import { Empty, Loading } from '../../ui/empty'
import { ProblemBox } from '../../ui/problem'
import { time } from '../../ui/text'
import { tell } from '../../ui/toast'
import { Confirm, Secret } from './confirm'
import { Deliveries } from './deliveries'
import { Edit } from './edit'
import { reasonOf, stateOf, toldOf, type Webhook } from './words'
import './webhooks.css'

const often = 15_000

/** Webhook is one webhook with what was and is to be delivered to it. */
export default function OneWebhook({ id }: { id: string }) {
  const path = { webhookId: id }
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete' | null>(null)
  const [made, setMade] = useState<{ url: string; secret: string } | null>(null)
  const [round, setRound] = useState(0) // counts tests: the log is read again after each
  const asked = useQuery(`webhook ${id}`, (signal) => get('/webhooks/{webhookId}', { path, signal }), {
    every: often,
    keep: true,
  })
  const w = asked.data
  const turn = useAction(async (enabled: boolean) => {
    await send('patch', '/webhooks/{webhookId}', { path, body: { enabled } })
    tell(enabled ? 'The webhook is told what changes from now on.' : 'The webhook is told nothing more.')
    asked.refresh()
  })
  const test = useAction(async () => {
    await send('post', '/webhooks/{webhookId}/test', { path, key: newKey() })
    tell('A test is on its way.')
    setRound((n) => n + 1)
  })
  if (asked.problem?.status === 404)
    return (
      <Empty title="There is no such webhook">
        <p>
          It may have been deleted. <a href="/webhooks">To the webhooks</a>
        </p>
      </Empty>
    )
  if (!w)
    return asked.problem ? (
      <ProblemBox problem={asked.problem} retryAt={asked.retryAt} onRetry={asked.refresh} />
    ) : (
      <Loading />
    )
  const [tone, state] = stateOf(w)
  const reason = reasonOf(w)
  const problem = asked.problem ?? turn.problem ?? test.problem
  return (
    <>
      <div class="head">
        <div>
          <p class="quiet small">
            <a href="/webhooks">Webhooks</a>
          </p>
          <h1 dir="auto" class="address">
            {w.url} <Chip tone={tone}>{state}</Chip>
          </h1>
        </div>
        <div class="row">
          <Button busy={test.running} onClick={() => void test.run()}>
            Send a test
          </Button>
          <Button busy={turn.running} onClick={() => void turn.run(!w.enabled)}>
            {w.enabled ? 'Pause' : 'Resume'}
          </Button>
          <Button onClick={() => setOpen('edit')}>Change</Button>
          <Button onClick={() => setOpen('rotate')}>Rotate the secret</Button>
          <Button kind="danger" onClick={() => setOpen('delete')}>
            Delete
          </Button>
        </div>
      </div>
      {problem && <ProblemBox problem={problem} />}
      {reason && (
        <p class="notice">
          {reason} It is told nothing until somebody resumes it; deliveries that have failed can be made again then.
        </p>
      )}
      <Facts w={w} />
      <Deliveries id={id} enabled={w.enabled} round={round} />
      {open === 'edit' && (
        <Edit
          webhook={w}
          onClose={() => setOpen(null)}
          onCreated={setMade}
          onChanged={() => {
            setOpen(null)
            asked.refresh()
          }}
        />
      )}
      {(open === 'rotate' || open === 'delete') && (
        <Confirm
          what={open}
          webhook={w}
          onClose={() => setOpen(null)}
          onRotated={(issued) => {
            setOpen(null)
            setMade(issued)
            asked.refresh()
          }}
          onDeleted={() => go('/webhooks', { replace: true })}
        />
      )}
      {made && <Secret made={made} onClose={() => setMade(null)} />}
    </>
  )
}

function Facts({ w }: { w: Webhook }) {
  const facts: [string, string | null][] = [
    ['Note', w.description || null],
    ['Told of', toldOf(w)],
    ['Made', time(w.created_at)],
    ['Last delivered', w.last_delivered_at ? time(w.last_delivered_at) : 'Never'],
    ['Failing since', w.failing_since && time(w.failing_since)],
    ['Both secrets sign until', w.previous_secret_until && time(w.previous_secret_until)],
  ]
  return (
    <section class="card" aria-label="Facts">
      <dl class="facts">
        {facts
          .filter(([, v]) => v !== null)
          .map(([name, value]) => [
            <dt key={name}>{name}</dt>,
            <dd key={`${name} is`} dir="auto">
              {value}
            </dd>,
          ])}
      </dl>
    </section>
  )
}
