import type { ComponentChildren } from 'preact'
import { Button } from './button'
import { Dialog } from './dialog'

/** Once shows a secret that is not shown again, until somebody says that it is kept. */
export function Once({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: ComponentChildren
}) {
  return (
    // Not to a button: whoever presses Enter twice to create it would never see it.
    <Dialog title={title} wide onClose={onClose} first=".copied pre">
      {children}
      <footer>
        <Button kind="main" onClick={onClose}>
          I have kept it
        </Button>
      </footer>
    </Dialog>
  )
}
