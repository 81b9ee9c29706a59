import { useState } from 'preact/hooks'
import { newKey } from 'kinebase/key'
import { useAction } from '../../api/query'
import { send, type Good } from '../../api/request'
import { Button } from '../../ui/button'
import { Copied } from '../../ui/copied'
import { Dialog } from '../../ui/dialog'
import { Once } from '../../ui/once'
import { ProblemBox } from '../../ui/problem'
import { tell } from '../../ui/toast'
import type { Webhook } from './words'

interface Props {
  what: 'rotate' | 'delete'
  webhook: Webhook
  onClose: () => void
  onRotated: (made: Good<'/webhooks/{webhookId}/rotate', 'post'>) => void
  onDeleted: () => void
}

/** Confirm asks before a secret or a webhook ends. */
export function Confirm({ what, webhook, onClose, onRotated, onDeleted }: Props) {
  const path = { webhookId: webhook.id }
  const [key] = useState(newKey)
  const act = useAction(async () => {
    if (what === 'rotate') return onRotated(await send('post', '/webhooks/{webhookId}/rotate', { path, key }))
    await send('delete', '/webhooks/{webhookId}', { path })
    tell('The webhook was deleted.')
    onDeleted()
  })
  return (
    <Dialog title={what === 'rotate' ? 'Rotate the secret' : 'Delete the webhook'} onClose={onClose}>
      {act.problem && <ProblemBox problem={act.problem} />}
      <p>
        <strong dir="auto">{webhook.url}</strong>{' '}
        {what === 'rotate'
          ? 'gets a new secret, which is shown once. For 24 hours deliveries are signed by both.'
          : 'is told nothing more, and its deliveries are forgotten. What waits for it is not delivered.'}
      </p>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" busy={act.running} onClick={() => void act.run()}>
          {what === 'rotate' ? 'Rotate' : 'Delete'}
        </Button>
      </footer>
    </Dialog>
  )
}

/** Secret shows the secret of a webhook, once. */
export function Secret({ made, onClose }: { made: { url: string; secret: string }; onClose: () => void }) {
  return (
    <Once title="The secret of the webhook" onClose={onClose}>
      <p>
        Deliveries to <strong dir="auto">{made.url}</strong> are signed with it, as Standard Webhooks says. It is shown
        only now: give it to the receiver.
      </p>
      <Copied label="Secret" text={made.secret} />
    </Once>
  )
}
