// Who is in a capture: linking and unlinking athletes. It stays open, so that
// somebody can be replaced.

import { useRef } from 'preact/hooks'
import { useAction } from '../../../api/query'
import { send } from '../../../api/request'
import { AthletePicker } from '../../../ui/athlete-picker'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { ProblemBox } from '../../../ui/problem'
import { tell } from '../../../ui/toast'
import type { Linked } from '../linked'

interface Props {
  id: string
  linked: Linked[]
  close: () => void
  changed: () => void
}

export default function AthleteDialog({ id, linked, close, changed }: Props) {
  const box = useRef<HTMLDivElement>(null)
  // What was pressed is gone after it: the next one is looked for.
  const next = () => {
    changed()
    box.current?.querySelector('input')?.focus()
  }
  const link = useAction(async (athlete: string, called: string) => {
    if (linked.some((one) => one.id === athlete)) return tell(`${called} is linked already.`)
    await send('post', '/captures/{captureId}/athletes', { path: { captureId: id }, body: { athlete_id: athlete } })
    tell(`${called} is linked to the capture.`)
    next()
  })
  const unlink = useAction(async (one: Linked) => {
    await send('delete', '/captures/{captureId}/athletes/{athleteId}', { path: { captureId: id, athleteId: one.id } })
    tell(`${one.name ?? 'The athlete'} is no longer linked to the capture.`)
    next()
  })
  const problem = link.problem ?? unlink.problem
  return (
    <Dialog title="Who is in this capture" onClose={close}>
      <div class="stack" ref={box}>
        {linked.length === 0 ? (
          <p class="quiet">Nobody yet.</p>
        ) : (
          <ul class="linked" aria-label="Linked">
            {linked.map((one) => (
              <li key={one.id}>
                <span dir="auto">{one.name ?? one.id}</span>
                <Button kind="danger" aria-label={`Unlink ${one.name ?? one.id}`} onClick={() => void unlink.run(one)}>
                  Unlink
                </Button>
              </li>
            ))}
          </ul>
        )}
        <AthletePicker
          label={linked.length > 0 ? 'Link another athlete' : 'Link an athlete'}
          value=""
          placeholder="Part of a name or e-mail address"
          onPick={(athlete, called) => {
            if (athlete) void link.run(athlete, called)
          }}
        />
        {problem && <ProblemBox problem={problem} />}
        <footer class="row end">
          <Button kind="main" onClick={close}>
            Done
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}
