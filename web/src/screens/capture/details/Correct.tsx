// Correcting what a capture is said to be.

import { useState } from 'preact/hooks'
import { useAction } from '../../../api/query'
import { send, type Sent } from '../../../api/request'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { Choice, Field } from '../../../ui/field'
import { ProblemBox } from '../../../ui/problem'
import { tell } from '../../../ui/toast'
import type { Capture, Motion } from '../types'
import { dimensionNames, type Dimension } from '../words'
import { faultsOf } from '../../../ui/faults'

type Correction = NonNullable<Sent<'/captures/{captureId}', 'patch'>>

interface Props {
  capture: Capture
  motion: Motion | undefined
  close: () => void
  done: () => void
}

/** The moment as the browser's own field has it, in the time of the person. */
function local(iso: string | null): string {
  if (!iso) return ''
  const t = new Date(iso)
  return new Date(t.getTime() - t.getTimezoneOffset() * 60_000).toISOString().slice(0, -1)
}

export function Correct({ capture, motion, close, done }: Props) {
  const rate = motion?.rate ?? capture.fps_detected
  const before: Record<string, string> = { activity: capture.activity ?? '', movement: capture.movement ?? '', capture_time: local(capture.capture_time), fps: rate === null || rate === undefined ? '' : String(rate) }
  for (const [key] of dimensionNames) if (capture[key] !== undefined) before[key] = capture[key] ?? ''
  const [now, setNow] = useState(before)
  const shown = dimensionNames.filter(([key]) => now[key] !== undefined)
  const more = dimensionNames.filter(([key]) => now[key] === undefined)
  const set = (name: string) => (e: { currentTarget: HTMLInputElement }) => setNow({ ...now, [name]: e.currentTarget.value })

  const save = useAction(async () => {
    const body: Record<string, string | number | null> = {}
    for (const [name, value] of Object.entries(now)) {
      if (value === (before[name] ?? '')) continue
      if (name === 'fps') body.fps = value.trim() === '' ? null : Number(value)
      else if (name === 'capture_time') body.capture_time = value === '' ? null : new Date(value).toISOString()
      else body[name] = value === '' ? null : value
    }
    if (Object.keys(body).length > 0) {
      await send('patch', '/captures/{captureId}', { path: { captureId: capture.session_id }, body: body as Correction })
      tell('The capture was corrected.')
    }
    done()
  })
  const faults = save.problem?.status === 400 ? faultsOf(save.problem.message, Object.keys(now)) : { of: {}, rest: [] }
  const fault = (name: string) => (faults.of as Record<string, string>)[name]
  const told = save.problem && (save.problem.status !== 400 || faults.rest.length > 0)
  return (
    <Dialog title="Correct this capture" onClose={close}>
      <form class="stack" onSubmit={(e) => { e.preventDefault(); void save.run() }} noValidate>
        <div class="two">
          <Field label="Activity" name="activity" value={now.activity} fault={fault('activity')} onInput={set('activity')} />
          <Field label="Movement" name="movement" value={now.movement} fault={fault('movement')} onInput={set('movement')} />
          {shown.map(([key, name]) => <Field key={key} label={name} name={key} value={now[key]} fault={fault(key)} onInput={set(key)} />)}
          <Field label="Recorded" name="capture_time" type="datetime-local" step="0.001" value={now.capture_time} fault={fault('capture_time')} hint="In your own time zone" onInput={set('capture_time')} />
          <Field label="Frames a second" name="fps" inputMode="decimal" value={now.fps} fault={fault('fps')} hint="Takes the place of the rate that the file states" onInput={set('fps')} />
        </div>
        {more.length > 0 && (
          <Choice label="Another field" value="" options={[['', 'Choose a field to add…'], ...more]} onChange={(e) => { const key = e.currentTarget.value as Dimension; if (key) setNow({ ...now, [key]: '' }) }} />
        )}
        <p class="quiet small">An empty field is cleared.</p>
        {told && save.problem && <ProblemBox problem={save.problem} />}
        <footer class="row end">
          <Button onClick={close}>Cancel</Button>
          <Button kind="main" type="submit" busy={save.running}>Save</Button>
        </footer>
      </form>
    </Dialog>
  )
}
