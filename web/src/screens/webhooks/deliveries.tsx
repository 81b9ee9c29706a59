import { useEffect, useState } from 'preact/hooks'
import { newKey } from 'kinebase/key'
import { useAction, useQuery } from '../../api/query'
import { get, send } from '../../api/request'
import { go, offsetOf, usePlace, withQuery } from '../../route'
import { Button } from '../../ui/button'
import { Chip } from '../../ui/chip'
import { Pager } from '../../ui/pager'
import { ProblemBox } from '../../ui/problem'
import { ACTIONS, Sheet } from '../../ui/sheet'
import { things, time } from '../../ui/text'
import { tell } from '../../ui/toast'
import { deliveryState, problemOf, type Delivery } from './words'

const limit = 25
/** The time between two reads of the log, in ms: short while a delivery is under way. */
const soon = 2_000
const later = 15_000
const states = [
  ['', 'Any'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
] as const

/** Deliveries is the log of a webhook, the latest event first; the address has its filter and its page. */
export function Deliveries({ id, enabled, round }: { id: string; enabled: boolean; round: number }) {
  const { path, query } = usePlace()
  const state = states.find(([s]) => s === query.get('state'))?.[0] ?? ''
  const offset = offsetOf(query)
  const asked = { state: state || null, limit, offset }
  const [every, setEvery] = useState(soon)
  const list = useQuery(
    JSON.stringify(asked),
    (signal) => get('/webhooks/{webhookId}/deliveries', { path: { webhookId: id }, query: asked, signal }),
    { every, keep: true },
  )
  const page = list.data
  useEffect(() => {
    const due = Date.now() + later
    const near = (d: Delivery) => d.state === 'pending' && Date.parse(d.next_attempt_at ?? '') < due
    setEvery(page?.deliveries.some(near) ? soon : later)
  }, [page])
  useEffect(() => {
    if (round > 0) list.refresh()
  }, [round])
  const replay = useAction(async (d: Delivery) => {
    await send('post', '/webhooks/{webhookId}/deliveries/{deliveryId}/replay', {
      path: { webhookId: id, deliveryId: d.id },
      key: newKey(),
    })
    tell('It is delivered again.')
    list.refresh()
  })
  return (
    <section class="stack" aria-label="Deliveries">
      <div class="head">
        <h2>Deliveries</h2>
        <label class="row quiet">
          State
          <select
            value={state}
            onChange={(e) => go(withQuery(path, { state: e.currentTarget.value }), { keepScroll: true })}
          >
            {states.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {list.problem && <ProblemBox problem={list.problem} retryAt={list.retryAt} onRetry={list.refresh} />}
      {replay.problem && <ProblemBox problem={replay.problem} />}
      {page && page.total_count === 0 && (
        <p class="quiet">{state ? 'No delivery is in this state.' : 'Nothing was to be delivered yet.'}</p>
      )}
      {page && page.total_count > 0 && (
        <>
          <p class="quiet" role="status">
            {things(page.total_count, 'delivery', 'deliveries')}
          </p>
          <Rows deliveries={page.deliveries} enabled={enabled} onReplay={(d) => void replay.run(d)} />
          <Pager
            total={page.total_count}
            offset={offset}
            limit={limit}
            shown={page.deliveries.length}
            what="deliveries"
            href={(to) => withQuery(path, { state, offset: to || null })}
          />
        </>
      )}
    </section>
  )
}

interface RowsProps {
  deliveries: Delivery[]
  enabled: boolean
  onReplay: (d: Delivery) => void
}

function Rows({ deliveries, enabled, onReplay }: RowsProps) {
  return (
    <Sheet
      label="Log of deliveries"
      columns={[
        'Event',
        ['When', 'fold'],
        ['Attempts', 'number fold'],
        ['Last answer', 'fold-first'],
        ['State', 'fold'],
        ACTIONS,
      ]}
    >
      {deliveries.map((d) => {
        const [tone, state] = deliveryState(d)
        const problem = problemOf(d)
        const chip = <Chip tone={tone}>{state}</Chip>
        return (
          <tr key={d.id}>
            <td class="wide folding">
              <span class="strong">{d.type}</span>
              <div class="quiet small mono">{d.data.id}</div>
              <div class="folded quiet small dots">
                <span>{time(d.timestamp)}</span>
                <span>{things(d.attempts, 'attempt')}</span>
              </div>
              <div class="folded">{chip}</div>
              {problem && <div class="small why">{problem}</div>}
              {d.state === 'pending' && d.attempts > 0 && d.next_attempt_at && (
                <div class="quiet small">Again {time(d.next_attempt_at)}</div>
              )}
            </td>
            <td class="fit fold">
              <time dateTime={d.timestamp}>{time(d.timestamp)}</time>
            </td>
            <td class="fit number fold">{d.attempts}</td>
            <td class="fit fold-first">{d.last_status ?? <span class="quiet">–</span>}</td>
            <td class="fit fold">{chip}</td>
            <td class="fit">
              {d.state !== 'pending' && enabled && (
                <Button aria-label={`Deliver ${d.type} of ${time(d.timestamp)} again`} onClick={() => onReplay(d)}>
                  Again
                </Button>
              )}
            </td>
          </tr>
        )
      })}
    </Sheet>
  )
}
