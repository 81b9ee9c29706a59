import { useState } from 'preact/hooks'
import { useMay, useSession } from '../api/session'
import { lazy } from '../ui/lazy'
import { useUnloadQuestion } from '../ui/unload'
import { useDrop } from './drop'
import { keep, useAsked, useQueue } from './state'
import './upload.css'

const Choose = lazy(() => import('./dialog'), null)
const Tray = lazy(() => import('./tray'), null)

/** Uploads takes files that are dropped on any screen, and shows what is on its way. */
export function Uploads() {
  return useMay()('captures:write') ? <Allowed /> : null
}

function Allowed() {
  const { organization } = useSession()
  const [choices, setChoices] = useState<File[][] | null>(null)
  const queue = useQueue(organization.id)
  const more = (some: File[]) => setChoices((before) => [...(before ?? []), some])
  useAsked(more)
  // Another dialog asks for something else: what is dropped beside it is not meant for it.
  const over = useDrop((some) => {
    if (choices !== null || !document.querySelector('dialog[open]')) more(some)
  })

  useUnloadQuestion(queue?.busy ?? false)

  return (
    <>
      {queue && <Tray queue={queue} onClose={() => keep(null, '')} />}
      {choices && <Choose choices={choices} over={over} onClose={() => setChoices(null)} />}
      {over && !choices && (
        <div class="drop" aria-hidden="true">
          <p>Drop files or folders to upload them</p>
        </div>
      )}
    </>
  )
}
