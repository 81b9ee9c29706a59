import { useAction } from '../../../api/query'
import { send } from '../../../api/request'
import { go } from '../../../route'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { ProblemBox } from '../../../ui/problem'
import { tell } from '../../../ui/toast'

/** Delete asks once more, and deletes. */
export function Delete({ id, name, close }: { id: string; name: string; close: () => void }) {
  const gone = useAction(async () => {
    await send('delete', '/captures/{captureId}', { path: { captureId: id } })
    tell('The capture and its files were deleted.')
    go('/captures', { replace: true }) // "back" would lead to what is gone
  })
  return (
    <Dialog title="Delete this capture?" onClose={close}>
      <div class="stack">
        <p>
          <strong dir="auto">{name}</strong> is deleted with its file and everything that was made of it. Nobody can
          bring it back. The athlete stays.
        </p>
        {gone.problem && <ProblemBox problem={gone.problem} />}
        <footer class="row end">
          <Button onClick={close}>Keep it</Button>
          <Button kind="danger" busy={gone.running} onClick={() => void gone.run()}>
            Delete for good
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}
