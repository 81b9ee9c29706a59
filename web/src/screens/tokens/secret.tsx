import { Copied } from '../../ui/copied'
import { Once } from '../../ui/once'

/** Secret shows a new token, once, and how it is used. */
export function Secret({ name, token, onClose }: { name: string; token: string; onClose: () => void }) {
  const curl = `curl -H 'Authorization: Bearer ${token}' '${location.origin}/v1/captures?limit=3'`
  return (
    <Once title="The new token" onClose={onClose}>
      <p>
        This is the secret of <strong dir="auto">{name}</strong>. It is shown only now: keep it where passwords are
        kept.
      </p>
      <Copied label="Token" text={token} />
      <Copied label="A first call" text={curl} />
    </Once>
  )
}
