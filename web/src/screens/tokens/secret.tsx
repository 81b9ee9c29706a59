import { Button } from '../../ui/button'
import { Copied } from '../../ui/copied'
import { Dialog } from '../../ui/dialog'

/** Secret shows a new token, once, and how it is used. */
export function Secret({ name, token, onClose }: { name: string; token: string; onClose: () => void }) {
  const curl = `curl -H 'Authorization: Bearer ${token}' '${location.origin}/v1/captures?limit=3'`
  return (
    // Not to a button: whoever presses Enter twice to create it would never see it.
    <Dialog title="The new token" wide onClose={onClose} first=".copied pre">
      <p>
        This is the secret of <strong dir="auto">{name}</strong>. It is shown only now: keep it where passwords are
        kept.
      </p>
      <Copied label="Token" text={token} />
      <Copied label="A first call" text={curl} />
      <footer>
        <Button kind="main" onClick={onClose}>
          I have kept it
        </Button>
      </footer>
    </Dialog>
  )
}
