import { useState } from 'preact/hooks'
import { newKey } from 'kinebase/key'
import { useAction } from '../../api/query'
import { send, type Good } from '../../api/request'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { faultsOf } from '../../ui/faults'
import { Check, Field } from '../../ui/field'
import { ProblemBox } from '../../ui/problem'
import { events, type Webhook } from './words'

const fields = ['url', 'events', 'description'] as const

interface Props {
  /** The webhook that is changed; null makes a new one. */
  webhook: Webhook | null
  onClose: () => void
  onCreated: (made: Good<'/webhooks', 'post'>) => void
  onChanged: () => void
}

/** Edit makes a webhook, or says where else it posts and of what. */
export function Edit({ webhook, onClose, onCreated, onChanged }: Props) {
  const [url, setURL] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [all, setAll] = useState(webhook?.events.includes('*') ?? true)
  const [some, setSome] = useState<Webhook['events']>(webhook?.events.filter((e) => e !== '*') ?? [])
  const [key] = useState(newKey) // the same click counts once, also when the answer was lost
  const save = useAction(async () => {
    // In the order of the list. What a later version of the server added stays.
    const known: readonly string[] = events
    const chosen = [...events.filter((e) => some.includes(e)), ...some.filter((e) => !known.includes(e))]
    const body = { url: url.trim(), description, events: all ? ['*' as const] : chosen }
    if (webhook) {
      await send('patch', '/webhooks/{webhookId}', { path: { webhookId: webhook.id }, body })
      onChanged()
    } else onCreated(await send('post', '/webhooks', { body, key }))
  })
  const bad = save.problem?.status === 400 ? faultsOf(save.problem.message, fields) : null
  return (
    <Dialog title={webhook ? 'Change the webhook' : 'Create a webhook'} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          void save.run()
        }}
      >
        {save.problem && (!bad || bad.rest.length > 0) && <ProblemBox problem={save.problem} />}
        <Field
          label="Address"
          hint="Where deliveries are posted, such as https://example.org/kinebase."
          type="url"
          required
          maxLength={2048}
          value={url}
          fault={bad?.of.url}
          onInput={(e) => setURL(e.currentTarget.value)}
        />
        <Field
          label="Note"
          maxLength={255}
          value={description}
          fault={bad?.of.description}
          onInput={(e) => setDescription(e.currentTarget.value)}
        />
        <fieldset>
          <legend>It is told of</legend>
          <Check
            label="Everything, also what later versions tell"
            checked={all}
            onChange={(e) => setAll(e.currentTarget.checked)}
          />
          {!all && (
            <div class="events">
              {events.map((name) => (
                <Check
                  key={name}
                  label={name}
                  checked={some.includes(name)}
                  onChange={(e) =>
                    setSome(e.currentTarget.checked ? [...some, name] : some.filter((other) => other !== name))
                  }
                />
              ))}
            </div>
          )}
          {bad?.of.events && <p class="fault">{bad.of.events}</p>}
        </fieldset>
        <footer class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={save.running}>
            {webhook ? 'Save' : 'Create'}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
