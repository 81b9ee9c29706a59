import { grace, remove } from '../../../removal/waiting'
import { go } from '../../../route'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'

/** Delete asks once more, and has the capture deleted when the time to undo it is over. */
export function Delete({ id, name, close }: { id: string; name: string; close: () => void }) {
  const gone = () => {
    remove('capture', [{ id, name }])
    go('/captures', { replace: true }) // "back" would lead to what is gone
  }
  return (
    <Dialog title="Delete this capture?" onClose={close}>
      <div class="stack">
        <p>
          <strong dir="auto">{name}</strong> is deleted with its file and everything that was made of it. You can undo
          it for {grace / 1000} seconds; after that nobody can bring it back. The athlete stays.
        </p>
        <footer class="row end">
          <Button onClick={close}>Keep it</Button>
          <Button kind="danger" onClick={gone}>
            Delete
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}
