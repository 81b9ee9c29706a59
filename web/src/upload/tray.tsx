import { useState } from 'preact/hooks'
import { Button } from '../ui/button'
import { Chip, type Tone } from '../ui/chip'
import { count, things } from '../ui/text'
import type { Item, Queue, Stage } from './queue'

/** How many files are written out: those that need somebody, and those that move, before all others. */
const shown = 100

const order: Record<Stage, number> = {
  failed: 0,
  unread: 0,
  pausing: 1,
  sending: 1,
  reading: 2,
  waiting: 3,
  there: 4,
  canceled: 5,
  done: 5,
}
/** placeOf is where a file stands among those: one that was read with warnings is looked at like one that was not. */
const placeOf = (i: Item) => (i.stage === 'done' && i.warnings > 0 ? 0 : order[i.stage])

/** Tray shows what is on its way, in a corner of every screen. */
export default function Tray({ queue, onClose }: { queue: Queue; onClose: () => void }) {
  const [open, setOpen] = useState(true)
  const { items } = queue
  const there = items.filter((i) => i.stage === 'there')
  const all = items.filter((i) => i.stage !== 'canceled' && i.stage !== 'there')
  const gone = all.filter((i) => i.stage === 'reading' || i.stage === 'done' || i.stage === 'unread').length
  const reading = all.filter((i) => i.stage === 'reading').length
  const failed = items.filter((i) => i.stage === 'failed')
  const odd = items.filter((i) => i.stage === 'done' && i.warnings > 0).length
  const unread = items.filter((i) => i.stage === 'unread').length
  const listed =
    items.length <= shown ? items : [...items].sort((a, b) => placeOf(a) - placeOf(b) || a.id - b.id).slice(0, shown)
  const busy = queue.busy
  const total = all.reduce((sum, i) => sum + i.file.size, 0)
  const sent = all.reduce(
    (sum, i) =>
      sum + i.file.size * (i.stage === 'sending' || i.stage === 'pausing' ? i.sent : i.stage === 'waiting' ? 0 : 1),
    0,
  )
  const title = busy
    ? `Sending ${things(all.length, 'file')}`
    : all.length === 0
      ? there.length > 0
        ? 'Nothing new was sent'
        : 'Nothing was sent'
      : failed.length > 0
        ? `${count(failed.length)} of ${things(all.length, 'file')} not sent`
        : `${things(all.length, 'file')} sent`
  const rest = [
    (all.length > 0 || there.length === 0) && `${count(gone)} of ${count(all.length)} sent`,
    reading > 0 && `${count(reading)} being read`,
    unread > 0 && `${count(unread)} cannot be read`,
    odd > 0 && `${count(odd)} with warnings`,
    there.length > 0 && `${count(there.length)} already there`,
  ]
    .filter(Boolean)
    .join(', ')

  return (
    <section class="tray" aria-label="Uploads">
      <header>
        <div>
          <h2>{title}</h2>
          <p class="quiet small" role="status">
            {rest}
          </p>
        </div>
        <Button kind="quiet" aria-expanded={open} aria-controls="uploads" onClick={() => setOpen(!open)}>
          {open ? 'Hide' : 'Show'}
        </Button>
        {!busy && (
          <button type="button" class="close" aria-label="Close the list of uploads" onClick={onClose}>
            ×
          </button>
        )}
      </header>
      {busy && <progress max={1} value={total > 0 ? sent / total : 0} aria-label="All files: sent" />}
      <div id="uploads" hidden={!open}>
        <ul class="files" tabIndex={0} aria-label="Files on their way">
          {listed.map((i) => (
            <Line key={i.id} item={i} queue={queue} />
          ))}
          {items.length > shown && <li class="quiet small">and {count(items.length - shown)} more</li>}
        </ul>
        {there.length > 0 && (
          <p class="quiet small">
            What is already there came from the same place in its folder with the same content. Nothing of it was sent
            or changed.
          </p>
        )}
        {(busy || failed.length > 1 || there.length > 1) && (
          <footer>
            {there.length > 1 && (
              <Button kind="quiet" onClick={() => queue.sendAgain(...there)}>
                Send again what is there
              </Button>
            )}
            {failed.length > 1 && <Button onClick={() => queue.retry(...failed)}>Send all failed again</Button>}
            {busy && (
              <Button kind="quiet" onClick={() => queue.cancelAll()}>
                Cancel the rest
              </Button>
            )}
          </footer>
        )}
      </div>
    </section>
  )
}

const stages: Record<Stage, [Tone, string]> = {
  waiting: ['quiet', 'Waiting'],
  sending: ['busy', 'Sending'],
  pausing: ['busy', 'Trying again'],
  reading: ['busy', 'Being read'],
  done: ['good', 'Done'],
  unread: ['bad', 'Cannot be read'],
  there: ['quiet', 'Already there'],
  failed: ['bad', 'Not sent'],
  canceled: ['quiet', 'Canceled'],
}

function Line({ item, queue }: { item: Item; queue: Queue }) {
  const odd = item.stage === 'done' && item.warnings > 0
  const [tone, text]: [Tone, string] = odd ? ['busy', `Done, ${things(item.warnings, 'warning')}`] : stages[item.stage]
  const { name } = item.file
  const session = item.twin ? item.twin.session : item.session
  const there = session !== null && ['done', 'reading', 'unread', 'there'].includes(item.stage)
  return (
    <li>
      <span class="name" dir="auto" title={name}>
        {there ? <a href={`/captures/${encodeURIComponent(session)}`}>{name}</a> : name}
      </span>
      {item.stage === 'sending' ? (
        <progress max={1} value={item.sent} aria-label={`${name}: sent`} />
      ) : (
        <Chip tone={tone}>{item.left && item.stage === 'reading' ? `${text}, ${item.left}` : text}</Chip>
      )}
      {(item.stage === 'waiting' || item.stage === 'sending' || item.stage === 'pausing') && (
        <button type="button" class="close" aria-label={`Cancel ${name}`} onClick={() => queue.cancel(item)}>
          ×
        </button>
      )}
      {(item.stage === 'failed' || item.stage === 'canceled') && (
        <Button kind="quiet" aria-label={`Send again: ${name}`} onClick={() => queue.retry(item)}>
          Send again
        </Button>
      )}
      {item.stage === 'there' && (
        <Button kind="quiet" aria-label={`Send it again: ${name}`} onClick={() => queue.sendAgain(item)}>
          Send it again
        </Button>
      )}
      {odd && (
        <p class="small">
          <a href={`/captures/${encodeURIComponent(item.session ?? '')}`}>See what is odd about {name}</a>
        </p>
      )}
      {item.why && (
        <p class={item.stage === 'pausing' ? 'quiet small' : 'fault'} dir="auto">
          {item.why}
        </p>
      )}
    </li>
  )
}
