// Dialogs that do the same with all captures that are chosen.

import { useState } from 'preact/hooks'
import { send, type Sent } from '../../../api/request'
import { AthletePicker } from '../../../ui/athlete-picker'
import { grace, remove } from '../../../removal/waiting'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { attributesOf, MovementFields, type Movement } from '../../../ui/movement'
import { things } from '../../../ui/text'
import type { Capture } from '../rows'
import { Progress } from './Progress'
import { failedOf, useRun, type Run } from './run'

export type Deed = 'link' | 'label' | 'delete'

interface Props {
  deed: Deed
  captures: readonly Capture[]
  close: () => void
  /** Told when it has ended: what was done, and what failed stays chosen. */
  ended: (run: Run) => void
  /** Told which will be deleted, when the time to undo it is over. */
  leaving: (captures: readonly Capture[]) => void
}

type Correction = NonNullable<Sent<'/captures/{captureId}', 'patch'>>

const nothing: Movement = { activity: '', movement: '', dimensions: {} }

const titles: Record<Deed, string> = { link: 'Link an athlete', label: 'Label', delete: 'Delete' }
const dids = { link: 'linked', label: 'labelled' }

/** Bulk asks what is to be done, does it, and says what became of it. */
export default function Bulk({ deed, captures, close, ended, leaving }: Props) {
  const [given] = useState(captures) // those that were chosen when it was asked for
  const [athlete, setAthlete] = useState({ id: '', called: '' })
  const [movement, setMovement] = useState(nothing)
  // What is left empty stays as each capture has it.
  const labels = Object.fromEntries(Object.entries(attributesOf(movement)).filter(([, v]) => v !== null))
  const { run, begin, stop } = useRun(async ({ session_id }) => {
    const path = { captureId: session_id }
    if (deed === 'label') await send('patch', '/captures/{captureId}', { path, body: labels as Correction })
    else await send('post', '/captures/{captureId}/athletes', { path, body: { athlete_id: athlete.id } })
  })
  const ready = deed === 'delete' || (deed === 'link' ? athlete.id !== '' : Object.keys(labels).length > 0)
  const start = (of: readonly Capture[]) => {
    if (deed !== 'delete') return void begin(of).then(ended)
    remove(
      'capture',
      of.map((c) => ({ id: c.session_id, name: c.file_name ?? c.session_id })),
    )
    leaving(of)
    close()
  }
  const what = things(given.length, 'capture')
  return (
    <Dialog title={`${titles[deed]}: ${what}`} onClose={close}>
      <div class="stack">
        {!run && deed === 'delete' && (
          <p>
            {given.length === 1 ? 'It is' : 'They are'} deleted with their files and everything that was made of them.
            You can undo it for {grace / 1000} seconds; after that nobody can bring them back. The athletes stay.
          </p>
        )}
        {!run && deed === 'link' && (
          <AthletePicker
            label="Athlete"
            value={athlete.id}
            placeholder="Part of a name or e-mail address"
            onPick={(id, called) => setAthlete({ id, called })}
          />
        )}
        {!run && deed === 'label' && (
          <>
            <MovementFields value={movement} onValue={setMovement} />
            <p class="quiet small">What is left empty stays as each capture has it.</p>
          </>
        )}
        {run && deed !== 'delete' && <Progress run={run} did={dids[deed]} />}
        <footer class="row end">
          {!run && <Button onClick={close}>Cancel</Button>}
          {!run && (
            <Button kind={deed === 'delete' ? 'danger' : 'main'} disabled={!ready} onClick={() => start(given)}>
              {deed === 'delete' ? `Delete ${what}` : `${titles[deed]} (${what})`}
            </Button>
          )}
          {run && !run.ended && <Button onClick={stop}>Stop</Button>}
          {run?.ended && failedOf(run).length > 0 && <Button onClick={() => start(failedOf(run))}>Try again</Button>}
          {run?.ended && (
            <Button kind="main" onClick={close}>
              Done
            </Button>
          )}
        </footer>
      </div>
    </Dialog>
  )
}
