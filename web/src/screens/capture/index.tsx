import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useQuery, type Query } from '../../api/query'
import { get } from '../../api/request'
import { useMay } from '../../api/session'
import { go, usePlace } from '../../route'
import { Button } from '../../ui/button'
import { CaptureChip } from '../../ui/chip'
import { Empty, Loading } from '../../ui/empty'
import { ProblemBox } from '../../ui/problem'
import { label, things, time } from '../../ui/text'
import './capture.css'
import { AthleteDialog } from './details/Athlete'
import { Correct } from './details/Correct'
import { Delete } from './details/Delete'
import { Downloads } from './details/Downloads'
import { Facts } from './details/Facts'
import { Events, Metrics, Warnings } from './details/Lists'
import { Measured } from './details/Measured'
import { Status } from './details/Status'
import { Video } from './details/Video'
import { framesOf, useFrames } from './frames'
import { useFileName, useLinked, type Linked } from './linked'
import { useKeys } from './keys'
import { Loop } from './loop'
import { assumed, Player } from './player'
import { Channels } from './plots/Channels'
import { Shelf } from './plots/courses'
import { Plots } from './plots/Plots'
import { pointsOf } from './scene/points'
import { place } from './skeleton/names'
import { Controls } from './Controls'
import { Stage } from './Stage'
import type { Capture as CaptureShape, Channel, Motion } from './types'
import { hertz, seconds } from './words'

/** What is not settled is looked at so often, in milliseconds. */
const often = 1500

/** More plots than this are no help to anybody. */
const plotsMost = 8

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
  const settled = status === 'completed' ? capture?.fps_detected : undefined
  useAgain(settled, motion)
  useEffect(() => {
    void import('./scene/view').catch(() => undefined)
  }, [])
  const [dialog, setDialog] = useState<'correct' | 'athlete' | 'delete' | null>(null)
  const first = capture?.athlete_id ?? null
  const linked = useLinked(id, first, may('athletes:read'), first !== null || dialog === 'athlete')
  const fileName = useFileName(id, status === 'error' && motion.data === undefined)
  const title = capture?.movement ? label(capture.movement) : (motion.data?.file_name ?? fileName ?? 'Capture')
  useEffect(() => {
    document.title = `${title} · Kinebase`
  }, [title])

  if (asked.problem?.status === 404)
    return (
      <Empty title="There is no such capture">
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
    motion.refresh()
  }
  // What awaits its file says so itself.
  const never = motion.problem?.status === 404 && (status === 'completed' || status === 'error')
  const held = status === 'completed' ? motion.data : undefined
  return (
    <div class="capture">
      <header class="head">
        <div>
          <p class="quiet small">
            <a href="/captures">Captures</a>
            {capture.activity && (
              <>
                {' '}
                / <span dir="auto">{label(capture.activity)}</span>
              </>
            )}
          </p>
          <h1 dir="auto">
            {title} <CaptureChip status={capture.status} />
          </h1>
          <Summary capture={capture} motion={held} linked={linked.all} />
        </div>
        <div class="row">
          <Downloads id={id} motion={held} file={capture.status !== 'awaiting_upload' && !never} />
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
      <Status capture={capture} />
      {never && <p class="notice">This capture has no file: only what is told of it.</p>}
      {status === 'completed' && motion.problem && !never && (
        <ProblemBox problem={motion.problem} retryAt={motion.retryAt} onRetry={motion.refresh} />
      )}
      {held ? (
        <Recording key={held.session_id} id={id} capture={capture} motion={held} linked={linked.all} />
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

/**
 * useAgain asks for the motion anew when there is another rate than the one it was asked for under, and once when it
 * was asked for too early.
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

/** What one likes to see first: the middle of the body, or else what is no point. */
function firstPlot(motion: Motion): Channel | undefined {
  const points = pointsOf(motion)
  return (
    points.find((c) => ['pelvis', 'sacrum'].includes(place(c.name).part)) ??
    motion.channels.find((c) => c.kind !== 'point') ??
    points[0]
  )
}

/** Bare is the player of what has no points: its keys move nothing but the time. */
function Bare({ player, loop }: { player: Player; loop: Loop }) {
  useKeys(player, nothing)
  return (
    <section class="card" aria-label="Player">
      <Controls player={player} loop={loop} store={null} />
    </section>
  )
}

const nothing = { around: () => {}, nearer: () => {}, labels: () => {}, fullscreen: () => {}, home: () => {} }

function Recording({
  id,
  capture,
  motion,
  linked,
}: {
  id: string
  capture: CaptureShape
  motion: Motion
  linked: Linked[]
}) {
  const { query } = usePlace()
  const loaded = useFrames(id, motion)
  const points = useMemo(() => pointsOf(motion), [motion])
  const player = useMemo(
    () => new Player({ rows: motion.frames, start: motion.start, rate: motion.rate, time: null }),
    [motion],
  )
  const loop = useMemo(() => new Loop(player), [player])
  useEffect(() => () => loop.dispose(), [loop])
  const store = loaded.store
  const whole = store?.complete === true
  // Rows that are not evenly spaced have their times with their numbers.
  const timed = whole && !motion.even && store.stride === 1 && !Number.isNaN(store.time[store.kept - 1])
  if (timed) player.clock.time = store.time
  useEffect(() => {
    if (timed) player.retell()
  }, [player, timed])

  const shelf = useMemo(() => new Shelf(framesOf(id), motion, () => store, motion.rate ?? assumed), [id, motion, whole])
  useEffect(() => () => shelf.dispose(), [shelf])

  const first = useMemo(() => firstPlot(motion), [motion])
  const names = query.has('plot') ? query.getAll('plot').filter(Boolean) : first ? [first.name] : []
  const chosen = names
    .map((n) => motion.channels.find((c) => c.name === n))
    .filter((c): c is Channel => c !== undefined)
    .slice(0, plotsMost)
  const setPlots = (to: string[]) => {
    const next = new URLSearchParams(to.map((n) => ['plot', n]))
    go(`${location.pathname}?${to.length > 0 ? next : 'plot='}`, { replace: true, keepScroll: true })
  }
  const shown = chosen.map((c) => c.name)
  const toggle = (n: string) => setPlots(shown.includes(n) ? shown.filter((p) => p !== n) : [...shown, n])
  const moving = motion.frames > 0 && motion.channels.length > 0

  return (
    <div class="capture-grid">
      <div class="capture-main">
        {motion.video && <Video id={id} motion={motion} />}
        {moving && points.length > 0 && (
          <Stage
            motion={motion}
            store={store}
            player={player}
            loop={loop}
            problem={loaded.problem}
            again={loaded.again}
            shown={loaded.shown}
            plot={(n) => {
              if (!shown.includes(n)) setPlots([...shown, n])
            }}
          />
        )}
        {moving && points.length === 0 && <Bare player={player} loop={loop} />}
        {store && store.stride > 1 && (
          <p class="notice small">
            This recording is so long that every {store.stride}th frame of its points is shown. The channels in the
            plots, the downloads and exports have all of them.
          </p>
        )}
        {moving && (
          <Plots
            motion={motion}
            player={player}
            shelf={shelf}
            chosen={chosen}
            remove={toggle}
            loaded={whole || (points.length === 0 && (motion.even || loaded.problem !== null))}
          />
        )}
        {!moving && !motion.video && (
          <Empty title="Nothing moves here">
            <p>The file holds no frames, or nothing in them.</p>
          </Empty>
        )}
      </div>
      <aside class="capture-side" aria-label="About this capture">
        {motion.warnings.length > 0 && <Warnings motion={motion} />}
        {motion.computed &&
          (motion.computed.reason || motion.computed.metrics.length + motion.computed.withheld.length > 0) && (
            <Measured capture={capture} found={motion.computed} player={player} />
          )}
        {motion.events.length > 0 && <Events motion={motion} player={player} />}
        {motion.metrics.length > 0 && <Metrics motion={motion} />}
        <Facts capture={capture} motion={motion} linked={linked} fileName={null} />
        {moving && <Channels channels={motion.channels} plotted={shown} most={plotsMost} toggle={toggle} />}
      </aside>
    </div>
  )
}
