import { visiting } from '../../../api/request'
import { lazy } from '../../../ui/lazy'
import type { Capture } from '../types'

// Most captures were read before somebody looks at them.
const Processing = lazy(() => import('./Processing'), null)

/** Status says what a capture is waiting for, or why it came to nothing. */
export function Status({ capture }: { capture: Capture }) {
  switch (capture.status) {
    case 'awaiting_upload':
      return (
        <p class="notice" role="status">
          The file of this capture has not arrived yet. This page shows it as soon as it has.
        </p>
      )
    case 'processing':
      return (
        <div class="notice">
          <p role="status">The file is being read. This page shows the motion as soon as it is done.</p>
          {!visiting() && <Processing id={capture.session_id} />}
        </div>
      )
    case 'error':
      return (
        <div class="problem" role="alert">
          <div>
            <strong>The file could not be read</strong>
            <p dir="auto">{capture.error ?? 'Nobody knows why.'}</p>
          </div>
        </div>
      )
    default:
      return null
  }
}
