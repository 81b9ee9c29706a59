import { useState } from 'preact/hooks'
import { useQuery } from '../../api/query'
import { get } from '../../api/request'
import { Button } from '../../ui/button'
import { Chip } from '../../ui/chip'
import { Empty, Loading } from '../../ui/empty'
import { ProblemBox } from '../../ui/problem'
import { Sheet } from '../../ui/sheet'
import { ago, time } from '../../ui/text'
import { Secret } from './confirm'
import { Edit } from './edit'
import { stateOf, toldOf, type Webhook } from './words'
import './webhooks.css'

/** The time between two reads of the list, in ms: the server pauses webhooks by itself. */
const often = 15_000

/** Webhooks is the list of all webhooks of the organization, oldest first. */
export default function Webhooks() {
  const [creating, setCreating] = useState(false)
  const [made, setMade] = useState<{ url: string; secret: string } | null>(null)
  const list = useQuery('webhooks', (signal) => get('/webhooks', { signal }), { every: often })
  return (
    <>
      <div class="head">
        <h1>Webhooks</h1>
        <Button kind="main" onClick={() => setCreating(true)}>
          Create a webhook
        </Button>
      </div>
      {list.problem && <ProblemBox problem={list.problem} retryAt={list.retryAt} onRetry={list.refresh} />}
      {!list.data && !list.problem && <Loading />}
      {list.data &&
        (list.data.webhooks.length === 0 ? (
          <Empty title="No webhooks yet">
            <p>A webhook has this server tell a program of yours what changes, by a signed request to its address.</p>
          </Empty>
        ) : (
          <Rows webhooks={list.data.webhooks} />
        ))}
      {creating && (
        <Edit
          webhook={null}
          onClose={() => setCreating(false)}
          onCreated={(w) => {
            setCreating(false)
            setMade(w)
            list.refresh()
          }}
          onChanged={list.refresh}
        />
      )}
      {made && <Secret made={made} onClose={() => setMade(null)} />}
    </>
  )
}

function Rows({ webhooks }: { webhooks: Webhook[] }) {
  return (
    <Sheet label="Webhooks" columns={['Address', ['Told of', 'fold'], ['Last delivered', 'fold-first'], 'State']}>
      {webhooks.map((w) => {
        const [tone, state] = stateOf(w)
        return (
          <tr key={w.id}>
            <td class="wide folding">
              <a class="strong" href={`/webhooks/${w.id}`} dir="auto">
                {w.url}
              </a>
              {w.description && (
                <div class="quiet small" dir="auto">
                  {w.description}
                </div>
              )}
              <div class="folded quiet small">{toldOf(w)}</div>
              {w.failing_since && <div class="small why">Failing since {ago(w.failing_since)}</div>}
            </td>
            <td class="fold small">{toldOf(w)}</td>
            <td class="fit fold-first">
              {w.last_delivered_at ? (
                <time dateTime={w.last_delivered_at} title={time(w.last_delivered_at)}>
                  {ago(w.last_delivered_at)}
                </time>
              ) : (
                <span class="quiet">Never</span>
              )}
            </td>
            <td class="fit">
              <Chip tone={tone}>{state}</Chip>
            </td>
          </tr>
        )
      })}
    </Sheet>
  )
}
