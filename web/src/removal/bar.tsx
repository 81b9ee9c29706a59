import { useEffect, useState } from 'preact/hooks'
import { Button } from '../ui/button'
import { things } from '../ui/text'
import { again, grace, kept, leave, undo, type Removal } from './waiting'
import './removal.css'

/** So many things are named for each reason. */
const named = 3

/** Fields in which nobody writes: the keys of undoing mean nothing to them. */
const unwritten = 'checkbox radio range button submit reset file color'
  .split(' ')
  .map((t) => `[type=${t}]`)
  .join()

/** own says whether undoing is the element's own: where somebody writes it takes back what was written. */
const own = (at: Element) =>
  at.closest(`input:not(${unwritten}), textarea, [contenteditable]:not([contenteditable=false]), dialog`) !== null

/** Bar has a line for each deletion, with the time that is left to undo it. */
export default function Bar({ list }: { list: readonly Removal[] }) {
  const newest = [...list].reverse().find((r) => r.stage === 'waiting')
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (!newest || e.key.toLowerCase() !== 'z' || e.shiftKey || e.altKey || !(e.ctrlKey || e.metaKey)) return
      if (own(e.target as Element)) return
      e.preventDefault()
      undo(newest)
    }
    addEventListener('keydown', key)
    return () => removeEventListener('keydown', key)
  }, [newest])
  return (
    <section class="removals" aria-label="Deletions">
      {list.map((r) => (
        <Line key={r.id} r={r} />
      ))}
    </section>
  )
}

function Line({ r }: { r: Removal }) {
  const what = things(r.things.length, r.kind)
  // The button goes with its line: who pressed it by keyboard goes on at the screen.
  const done = (act: (r: Removal) => void) => {
    act(r)
    document.getElementById('content')?.focus({ preventScroll: true })
  }
  if (r.stage === 'failed') {
    const it = [...r.failed.values()].flat().length === 1 ? 'it' : 'them'
    return (
      <div class="removal" role="alert">
        <div class="stack">
          {[...r.failed].map(([why, some]) => (
            <p key={why} dir="auto">
              {things(some.length, r.kind)} not deleted: {why} (
              {some
                .slice(0, named)
                .map((t) => t.name)
                .join(', ')}
              {some.length > named && ', …'})
            </p>
          ))}
        </div>
        <Button onClick={() => again(r)}>
          {r.failed.size === 1 && r.failed.has(kept) ? `Delete ${it} all the same` : 'Try again'}
        </Button>
        <Button kind="quiet" onClick={() => done(leave)}>
          Leave {it}
        </Button>
      </div>
    )
  }
  if (r.stage === 'sending')
    return (
      <div class="removal">
        <p role="status">Deleting {what}</p>
        <progress max={r.things.length} value={r.tried} aria-label="How many are deleted" />
      </div>
    )
  return (
    <div class="removal">
      <p>
        {/* Read out once, and not each second. */}
        <span role="status">
          {what} will be deleted<span class="unseen">, unless undone within {grace / 1000} seconds</span>
        </span>{' '}
        <Left due={r.due} />
      </p>
      <Button aria-label={`Undo the deletion of ${what}`} onClick={() => done(undo)}>
        Undo
      </Button>
    </div>
  )
}

/** Left is how much time is left. */
function Left({ due }: { due: number }) {
  const [now, set] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span class="quiet" aria-hidden="true">
      in {Math.max(0, Math.ceil((due - now) / 1000))} s
    </span>
  )
}
