// A report: a page for one capture, for a comparison or for the progress of an athlete. The address has all of it but what
// was measured.

import { useEffect, useState } from 'preact/hooks'
import { visiting } from '../../api/request'
import { go, usePlace } from '../../route'
import { Button } from '../../ui/button'
import { Empty } from '../../ui/empty'
import { Field } from '../../ui/field'
import { lazy } from '../../ui/lazy'
import { ShareButton } from '../../ui/share'
import { date } from '../../ui/text'
import type { Course } from '../share'
import { changed, numberedQuery } from './address'
import './report.css'

const Compare = lazy(() => import('../compare'))
const OfCapture = lazy(() => import('./OfCapture'))
const OfAthlete = lazy(() => import('./OfAthlete'))

/** A note is part of the address, which must still be one that can be sent. */
const longestNote = 2000

/** Report is the screen of a report. name is what a visitor hears of the athlete; null for nothing. */
export default function Report({ name = null }: { name?: string | null }) {
  const { query } = usePlace()
  const [course, setCourse] = useState<Course | null>(null)
  const captures = query.getAll('capture')
  const athlete = query.get('athlete')
  const title = query.get('title') ?? ''
  const note = query.get('note') ?? ''
  const set = (name: string, value: string) => go(changed({ [name]: value }), { replace: true, keepScroll: true })
  useEffect(() => {
    document.title = `${title || 'Report'} · Kinebase`
  }, [title])
  if (captures.length === 0 && athlete === null)
    return (
      <Empty whole title="Nothing to report on yet">
        <p>
          Open a <a href="/captures">capture</a>, a <a href="/compare">comparison</a> or an athlete, and press “Report”.
        </p>
      </Empty>
    )
  const own = new URLSearchParams({ ...(title ? { title } : {}), ...(note ? { note } : {}) }).toString()
  return (
    <div class="report">
      <div class="head">
        <h1 dir="auto">{title || 'Report'}</h1>
        <div class="row no-print">
          <ShareButton
            kind={athlete === null ? 'report' : 'progress'}
            captures={athlete === null ? captures : []}
            course={athlete === null ? null : course}
            view={() => numberedQuery(location.search)}
          />
          <Button kind="main" onClick={() => print()}>
            Print or save as PDF
          </Button>
        </div>
      </div>
      <p class="quiet small">Made on {date(new Date().toISOString())}</p>
      {!visiting() && (
        <section class="card stack no-print" aria-label="Words of your own">
          <Written label="Title" value={title} most={200} set={(to) => set('title', to)} />
          <Written label="Notes" value={note} most={longestNote} lines={4} set={(to) => set('note', to)} />
        </section>
      )}
      {note && (
        <section class="stack" aria-labelledby="notes-title">
          <h2 id="notes-title">Notes</h2>
          <p class="note" dir="auto">
            {note}
          </p>
        </section>
      )}
      {athlete !== null ? (
        <OfAthlete id={visiting() ? '1' : athlete} name={name} onShown={setCourse} />
      ) : captures.length === 1 ? (
        <OfCapture key={captures[0]} id={captures[0]!} />
      ) : (
        <Compare within={own && `&${own}`} />
      )}
    </div>
  )
}

interface WrittenProps {
  label: string
  value: string
  most: number
  lines?: number
  set: (to: string) => void
}

/** Written is a text of the address; it is put there when it is left. */
function Written({ label, value, most, lines, set }: WrittenProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const done = () => {
    if (text.trim() !== value) set(text.trim())
  }
  if (lines === undefined)
    return (
      <Field
        label={label}
        maxLength={most}
        value={text}
        onInput={(e) => setText(e.currentTarget.value)}
        onBlur={done}
      />
    )
  return (
    <div class="field">
      <label for="report-note">{label}</label>
      <textarea
        id="report-note"
        dir="auto"
        rows={lines}
        maxLength={most}
        value={text}
        onInput={(e) => setText(e.currentTarget.value)}
        onBlur={done}
      />
    </div>
  )
}
