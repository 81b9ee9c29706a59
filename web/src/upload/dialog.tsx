import { useEffect, useRef, useState } from 'preact/hooks'
import { useMay, useSession } from '../api/session'
import { AthletePicker } from '../ui/athlete-picker'
import { Button } from '../ui/button'
import { Chip, type Tone } from '../ui/chip'
import { Dialog } from '../ui/dialog'
import { attributesOf, MovementFields, type Movement } from '../ui/movement'
import { bytes, things } from '../ui/text'
import { kinds, Queue, unfit, type Item, type Stage } from './queue'
import './upload.css'

/** Upload asks what the files have in common, then sends them. */
export function Upload({ files, onClose }: { files: File[]; onClose: () => void }) {
  const { limits } = useSession()
  const may = useMay()
  const [chosen, setChosen] = useState(files)
  const [athlete, setAthlete] = useState('')
  const [movement, setMovement] = useState<Movement>({ activity: '', movement: '', dimensions: {} })
  const [queue, setQueue] = useState<Queue | null>(null)
  const [, draw] = useState(0)
  const drawing = useRef(false)
  const picker = useRef<HTMLInputElement>(null)
  useEffect(() => setChosen((c) => [...c, ...files.filter((f) => !c.includes(f))]), [files])

  useEffect(() => {
    if (!queue) return
    const ask = (e: BeforeUnloadEvent) => { if (queue.busy) e.preventDefault() }
    addEventListener('beforeunload', ask)
    return () => { removeEventListener('beforeunload', ask); queue.stop() }
  }, [queue])

  const fit = chosen.filter((f) => !unfit(f, limits.max_upload_bytes))
  const begin = () => {
    // Progress comes often; the screen is drawn once a picture.
    const told = () => {
      if (drawing.current) return
      drawing.current = true
      requestAnimationFrame(() => { drawing.current = false; draw((n) => n + 1) })
    }
    const q = new Queue({ athlete, attributes: attributesOf(movement) }, limits.max_upload_bytes, told)
    q.add(fit)
    setQueue(q)
  }
  const close = () => {
    if (queue?.busy && !confirm('Some files have not been sent. Stop sending them?')) return
    onClose()
  }

  if (queue) {
    const done = queue.items.filter((i) => i.stage === 'done' || i.stage === 'reading').length
    return (
      <Dialog title="Upload" wide onClose={close}>
        <p class="quiet" role="status">{done} of {things(queue.items.length, 'file')} sent</p>
        <ul class="files">{queue.items.map((i) => <Line key={i.id} item={i} queue={queue} />)}</ul>
        <footer>
          {queue.items.some((i) => i.stage === 'failed' && i.session === null) && <Button onClick={() => queue.items.filter((i) => i.stage === 'failed' && i.session === null).forEach((i) => queue.retry(i))}>Try all failed again</Button>}
          <Button kind={queue.busy ? 'plain' : 'main'} onClick={close}>{queue.busy ? 'Stop' : 'Close'}</Button>
        </footer>
      </Dialog>
    )
  }
  return (
    <Dialog title="Upload" wide onClose={onClose}>
      <form class="stack" onSubmit={(e) => { e.preventDefault(); if (fit.length > 0) begin() }}>
        <div class="choose">
          <Button onClick={() => picker.current?.click()}>Choose files</Button>
          <input ref={picker} type="file" multiple accept={kinds.join()} class="unseen" tabIndex={-1} aria-label="Files to upload"
            onChange={(e) => { const more = [...(e.currentTarget.files ?? [])]; setChosen((c) => [...c, ...more]); e.currentTarget.value = '' }} />
          <span class="quiet">C3D, TRC, MOT, STO, BVH, CSV, MOV, MP4, up to {bytes(limits.max_upload_bytes)} each. Or drop files and folders on the page.</span>
        </div>
        {chosen.length > 0 && (
          <ul class="files">
            {chosen.map((f, n) => (
              <li key={n}>
                <span class="name" dir="auto">{f.name}</span>
                <span class="quiet">{bytes(f.size)}</span>
                {unfit(f, limits.max_upload_bytes) && <span class="unfit">{unfit(f, limits.max_upload_bytes)} It is left out.</span>}
                <button type="button" class="close" aria-label={`Leave out ${f.name}`} onClick={() => setChosen(chosen.filter((c) => c !== f))}>×</button>
              </li>
            ))}
          </ul>
        )}
        <fieldset class="common">
          <legend>For all of them</legend>
          {may('athletes:read') && <AthletePicker label="Athlete" value={athlete} onPick={setAthlete} />}
          <MovementFields value={movement} onValue={setMovement} />
        </fieldset>
        <footer class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" disabled={fit.length === 0}>{fit.length > 0 ? `Upload ${things(fit.length, 'file')}` : 'Upload'}</Button>
        </footer>
      </form>
    </Dialog>
  )
}

const stages: Record<Stage, [Tone, string]> = {
  waiting: ['quiet', 'Waiting'],
  sending: ['busy', 'Sending'],
  reading: ['busy', 'Being read'],
  done: ['good', 'Done'],
  failed: ['bad', 'Failed'],
  canceled: ['quiet', 'Canceled'],
}

function Line({ item, queue }: { item: Item; queue: Queue }) {
  const [tone, text] = stages[item.stage]
  return (
    <li>
      <span class="name" dir="auto">
        {item.session !== null && (item.stage === 'done' || item.stage === 'reading' || item.stage === 'failed')
          ? <a href={`/captures/${encodeURIComponent(item.session)}`}>{item.file.name}</a>
          : item.file.name}
      </span>
      {item.stage === 'sending' && <progress max={1} value={item.sent} aria-label={`${item.file.name}: sent`} />}
      <Chip tone={tone}>{text}</Chip>
      {(item.stage === 'waiting' || item.stage === 'sending') && <button type="button" class="close" aria-label={`Cancel ${item.file.name}`} onClick={() => queue.cancel(item)}>×</button>}
      {(item.stage === 'failed' || item.stage === 'canceled') && <Button kind="quiet" onClick={() => queue.retry(item)}>Again</Button>}
      {item.why && <p class="fault" role="alert" dir="auto">{item.why}</p>}
    </li>
  )
}
