// Correcting what a capture is said to be.

import { useState } from 'preact/hooks'
import { useAction } from '../../../api/query'
import { send, type Sent } from '../../../api/request'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { faultsOf } from '../../../ui/faults'
import { Field } from '../../../ui/field'
import { attributesOf, MovementFields, type Movement } from '../../../ui/movement'
import { localOf, momentOf } from '../../../ui/moment'
import { ProblemBox } from '../../../ui/problem'
import { tell } from '../../../ui/toast'
import type { Capture, Motion } from '../types'
import { dimensionNames } from '../words'

type Correction = NonNullable<Sent<'/captures/{captureId}', 'patch'>>

const fields = ['activity', 'movement', 'capture_time', 'fps', ...dimensionNames.map(([key]) => key)]

interface Props {
  capture: Capture
  motion: Motion | undefined
  close: () => void
  done: () => void
}

function movementOf(capture: Capture): Movement {
  const dimensions: Record<string, string> = {}
  for (const [key] of dimensionNames) dimensions[key] = capture[key] ?? ''
  return { activity: capture.activity ?? '', movement: capture.movement ?? '', dimensions }
}

/** The number in a text; the text itself when it is none, so that the interface says so. */
function numberIn(text: string): number | string {
  const n = Number(text.trim().replace(',', '.'))
  return Number.isFinite(n) ? n : text.trim()
}

export default function Correct({ capture, motion, close, done }: Props) {
  const rate = motion?.rate ?? capture.fps_detected
  const [movement, setMovement] = useState(() => movementOf(capture))
  const [recorded, setRecorded] = useState(localOf(capture.capture_time))
  const [fps, setFps] = useState(rate === null ? '' : String(rate))

  const save = useAction(async () => {
    // What was not touched is not sent: somebody else may be correcting it.
    const body: Record<string, string | number | null> = {}
    const before = attributesOf(movementOf(capture))
    for (const [name, value] of Object.entries(attributesOf(movement)))
      if (value !== (before[name] ?? null)) body[name] = value
    if (recorded !== localOf(capture.capture_time)) body.capture_time = momentOf(recorded)
    if (fps.trim() !== (rate === null ? '' : String(rate))) body.fps = fps.trim() === '' ? null : numberIn(fps)
    if (Object.keys(body).length > 0) {
      await send('patch', '/captures/{captureId}', {
        path: { captureId: capture.session_id },
        body: body as Correction,
      })
      tell('The capture was corrected.')
    }
    done()
  })
  const faults = save.problem?.status === 400 ? faultsOf(save.problem.message, fields) : null
  return (
    <Dialog title="Correct this capture" onClose={close}>
      <form
        class="stack"
        onSubmit={(e) => {
          e.preventDefault()
          void save.run()
        }}
        noValidate
      >
        <div class="two">
          <MovementFields value={movement} onValue={setMovement} faults={faults?.of ?? {}} />
          <div class="whole">
            <Field
              label="Recorded"
              type="datetime-local"
              step="0.001"
              value={recorded}
              fault={faults?.of.capture_time}
              hint="In your own time zone"
              onInput={(e) => setRecorded(e.currentTarget.value)}
            />
          </div>
          <Field
            label="Frames a second"
            inputMode="decimal"
            value={fps}
            fault={faults?.of.fps}
            hint="Instead of the rate that the file states"
            onInput={(e) => setFps(e.currentTarget.value)}
          />
        </div>
        {save.problem && (!faults || faults.rest.length > 0) && <ProblemBox problem={save.problem} />}
        <footer class="row end">
          <Button onClick={close}>Cancel</Button>
          <Button kind="main" type="submit" busy={save.running}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
