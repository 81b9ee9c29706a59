import { useEffect, useRef, useState } from 'preact/hooks'
import { useQuery, type Query } from '../../api/query'
import { get, visiting } from '../../api/request'
import { useMay } from '../../api/session'
import { Note } from '../../removal/note'
import { go } from '../../route'
import { Button, LinkButton } from '../../ui/button'
import { CaptureChip } from '../../ui/chip'
import { compared } from '../../ui/comparison'
import { Empty, Loading } from '../../ui/empty'
import { lazy } from '../../ui/lazy'
import { ProblemBox } from '../../ui/problem'
import { ShareButton } from '../../ui/share'
import { label, things, time } from '../../ui/text'
import './capture.css'
import { Delete } from './details/Delete'
import { Downloads } from './details/Downloads'
import { Facts } from './details/Facts'
import { Status } from './details/Status'
import { useFileName, useLinked, type Linked } from './linked'
import { useMeasuring, useRecorded } from './measured'
import { Recording } from './Recording'
import { written } from './seen'
import type { Capture as CaptureShape, Motion } from './types'
import { hertz, seconds } from './words'

// What most people who look at a capture do not open.
const AthleteDialog = lazy(() => import('./details/Athlete'), null)
const Correct = lazy(() => import('./details/Correct'), null)

/** What is not settled is looked at so often, in milliseconds. */
const often = 1500

/** Capture is the screen of one capture. */
export default function Capture({ id }: { id: string }) {
  const may = useMay()
  const [open, setOpen] = useState(true) // not settled yet, as far as is known
  const asked = useQuery(
    `capture ${id}`,
    (signal) => get('/captures/{captureId}', { path: { captureId: id }, signal }),
    { every: open ? often : 20_000, keep: true },
  )
  const capture = asked.data
  const status = capture?.status
  useEffect(() => setOpen(status === 'awaiting_upload' || status === 'processing'), [status])
  // Asked for at once: nearly always it is there.
  const motion = useQuery(
    `motion ${id}`,
    (signal) => get('/captures/{captureId}/motion', { path: { captureId: id }, signal }),
    { keep: true },
  )
  const measuring = useMeasuring(motion)
  const recorded = useRecorded(motion.data)
  const settled = status === 'completed' ? capture?.fps_detected : undefined
  useAgain(settled, motion)
  useEffect(() => {
    void import('./scene/view').catch(() => undefined)
  }, [])
  const [dialog, setDialog] = useState<'correct' | 'athlete' | 'delete' | null>(null)
  const visitor = visiting()
  // To a visitor the id says nothing but who is the same.
  const first = visitor ? null : (capture?.athlete_id ?? null)
  const linked = useLinked(id, first, may('athletes:read'), first !== null || dialog === 'athlete')
  const fileName = useFileName(id, status === 'error' && motion.data === undefined)
  const title = capture?.movement ? label(capture.movement) : (motion.data?.file_name ?? fileName ?? 'Capture')
  useEffect(() => {
    document.title = `${title} · Kinebase`
  }, [title])

  if (asked.problem?.status === 404)
    return (
      <Empty whole title="There is no such capture">
        <p>
          It may have been deleted. <a href="/captures">To the captures</a>
        </p>
      </Empty>
    )
  if (!capture) {
    return asked.problem ? (
      <ProblemBox problem={asked.problem} retryAt={asked.retryAt} onRetry={asked.refresh} />
    ) : (
      <Loading what="Opening the capture" />
    )
  }
  const done = () => {
    setDialog(null)
    asked.refresh()
    measuring.again()
  }
  // What awaits its file says so itself.
  const never = motion.problem?.status === 404 && (status === 'completed' || status === 'error')
  const held = status === 'completed' ? motion.data : undefined
  return (
    <div class="capture">
      <header class="head">
        <div>
          <p class="quiet small">
            {!visitor && <a href="/captures">Captures</a>}
            {capture.activity && (
              <>
                {!visitor && ' / '}
                <span dir="auto">{label(capture.activity)}</span>
              </>
            )}
          </p>
          <h1 dir="auto">
            {title} <CaptureChip status={capture.status} />
          </h1>
          <Summary
            capture={capture}
            motion={held}
            linked={visitor && capture.athlete_name ? [{ id: '', name: capture.athlete_name }] : linked.all}
          />
        </div>
        <div class="row">
          {held && held.frames > 0 && !visitor && (
            <LinkButton href={compared([id], true)} title="Into the comparison under way, or a new one">
              Compare
            </LinkButton>
          )}
          {held && held.frames > 0 && !visitor && <Button onClick={() => go(reportOf(id, written()))}>Report</Button>}
          {held && <Button onClick={() => print()}>Print</Button>}
          {held && <ShareButton kind="capture" captures={[id]} view={written} />}
          {!visitor && <Downloads id={id} motion={held} file={capture.status !== 'awaiting_upload' && !never} />}
          {may('captures:write') && (
            <>
              <Button onClick={() => setDialog('correct')}>Correct</Button>
              {may('athletes:read') && (
                <Button onClick={() => setDialog('athlete')}>
                  {linked.all.length > 0 ? 'Athletes' : 'Link an athlete'}
                </Button>
              )}
              <Button kind="danger" onClick={() => setDialog('delete')}>
                Delete
              </Button>
            </>
          )}
        </div>
      </header>
      {asked.problem && <ProblemBox problem={asked.problem} retryAt={asked.retryAt} onRetry={asked.refresh} />}
      <Note id={id} />
      <Status capture={capture} />
      {never && <p class="notice">This capture has no file: only what is told of it.</p>}
      {status === 'completed' && motion.problem && !never && (
        <ProblemBox problem={motion.problem} retryAt={motion.retryAt} onRetry={motion.refresh} />
      )}
      {held && recorded ? (
        <Recording
          key={held.session_id}
          id={id}
          capture={capture}
          motion={recorded}
          computed={held.computed}
          measuring={measuring}
          linked={linked.all}
        />
      ) : capture.status === 'completed' && !motion.problem ? (
        <Loading what="Reading what the file holds" />
      ) : (
        <Facts capture={capture} motion={undefined} linked={linked.all} fileName={fileName} />
      )}
      {dialog === 'correct' && <Correct capture={capture} motion={held} close={() => setDialog(null)} done={done} />}
      {dialog === 'athlete' && (
        <AthleteDialog
          id={id}
          linked={linked.all}
          close={() => setDialog(null)}
          changed={() => {
            asked.refresh()
            linked.refresh()
          }}
        />
      )}
      {dialog === 'delete' && <Delete id={id} name={held?.file_name ?? title} close={() => setDialog(null)} />}
    </div>
  )
}

/** reportOf is the address of a report of a capture as it is seen. */
function reportOf(id: string, seen: string): string {
  const query = new URLSearchParams(seen)
  query.set('capture', id)
  return `/report?${query}`
}

/**
 * useAgain requests the motion again when the rate has changed since the last request, and once when the first request
 * came too early.
 */
function useAgain(settled: number | null | undefined, motion: Query<Motion>) {
  const under = useRef<number | null | undefined>(undefined)
  const early = settled !== undefined && motion.problem !== null && !motion.problem.passing
  useEffect(() => {
    if (settled !== undefined && under.current !== undefined && settled !== under.current) motion.refresh()
    if (settled !== undefined) under.current = settled
  }, [settled])
  useEffect(() => {
    if (early) motion.refresh()
  }, [settled, early])
}

function Summary({ capture, motion, linked }: { capture: CaptureShape; motion: Motion | undefined; linked: Linked[] }) {
  const parts = [
    linked
      .map((l) => l.name)
      .filter(Boolean)
      .join(', '),
    capture.capture_time && `${motion?.capture_time_from === 'upload' ? 'uploaded ' : ''}${time(capture.capture_time)}`,
    motion && motion.frames > 0 && things(motion.frames, 'frame'),
    motion && motion.rate !== null && hertz(motion.rate),
    motion && motion.duration > 0 && seconds(motion.duration),
  ].filter((p): p is string => Boolean(p))
  return (
    <p class="quiet summary">
      {parts.map((p) => (
        <span key={p} dir="auto">
          {p}
        </span>
      ))}
    </p>
  )
}
