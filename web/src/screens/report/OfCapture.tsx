// The report of one capture: pictures of the scene, charts, and what was measured with its definition.

import { useEffect, useMemo } from 'preact/hooks'
import { useQuery } from '../../api/query'
import { get, visiting } from '../../api/request'
import { useMay } from '../../api/session'
import { go, usePlace } from '../../route'
import { Loading } from '../../ui/empty'
import { ProblemBox } from '../../ui/problem'
import { label, time } from '../../ui/text'
import { framesOf, useFrames } from '../capture/frames'
import { platformsOf } from '../capture/platforms'
import { assumed } from '../capture/player'
import { Channels } from '../capture/plots/Channels'
import { Shelf } from '../capture/plots/courses'
import { extrasOf, measuresOf } from '../capture/plots/derived'
import { eventsOf, marksOf } from '../capture/plots/events'
import { pointsOf } from '../capture/scene/points'
import { seenOf } from '../capture/seen'
import { useBones } from '../capture/skeleton/use'
import type { Capture, Channel, Motion } from '../capture/types'
import { hertz, seconds } from '../capture/words'
import { changed } from './address'
import { Metrics } from './Metrics'
import { Moments } from './Moments'
import { Pictures } from './Pictures'
import { PlotFigure } from './PlotFigure'

const plotsMost = 8

export default function OfCapture({ id }: { id: string }) {
  const may = useMay()
  const path = { captureId: id }
  const include = may('athletes:read') ? 'athlete' : undefined
  const capture = useQuery(`report capture ${id}`, (signal) =>
    get('/captures/{captureId}', { path, query: { include }, signal }),
  )
  const motion = useQuery(`report motion ${id}`, (signal) => get('/captures/{captureId}/motion', { path, signal }))
  const problem = capture.problem ?? motion.problem
  if (problem)
    return (
      <ProblemBox
        problem={problem}
        onRetry={() => {
          capture.refresh()
          motion.refresh()
        }}
      />
    )
  if (!capture.data || !motion.data) return <Loading what="Reading what the capture holds" />
  return <Of id={id} capture={capture.data} motion={motion.data} />
}

function Of({ id, capture, motion }: { id: string; capture: Capture; motion: Motion }) {
  const { query } = usePlace()
  const points = useMemo(() => pointsOf(motion), [motion])
  const bones = useBones(motion, points)
  const loaded = useFrames(id, motion)
  useEffect(() => loaded.shown(), [loaded.store]) // nothing is drawn before all of it is there
  const whole = loaded.store?.complete === true ? loaded.store : null
  const shelf = useMemo(() => new Shelf(framesOf(id), motion, () => whole, motion.rate ?? assumed), [id, motion, whole])
  useEffect(() => () => shelf.dispose(), [shelf])
  const channels = useMemo<Channel[]>(() => [...motion.channels, ...platformsOf(motion)], [motion])
  const plotted = query.getAll('plot').flatMap((n) => channels.find((c) => c.name === n) ?? [])
  const texts = JSON.stringify([query.getAll('measure'), query.getAll('derived')])
  const extras = useMemo(() => {
    const [measures, derived] = JSON.parse(texts) as [string[], string[]]
    return extrasOf(measures, derived, channels, motion)
  }, [texts, motion, channels])
  const measures = useMemo(() => measuresOf(extras), [extras])
  const events = useMemo(() => eventsOf(motion.events, motion.computed), [motion])
  const marks = useMemo(() => marksOf(events), [events])
  const frames = query
    .getAll('picture')
    .map(Number)
    .filter((n) => Number.isInteger(n) && n >= 0 && n < motion.frames)
  const seen = seenOf(query)
  const set = (name: string, value: readonly string[]) =>
    go(changed({ [name]: value }), { replace: true, keepScroll: true })
  const names = plotted.map((c) => c.name)
  const facts: [string, string | null | undefined][] = [
    ['Athlete', capture.athlete_name],
    ['Movement', [capture.activity, capture.movement].flatMap((l) => (l ? [label(l)] : [])).join(' · ')],
    ['Recorded', capture.capture_time && time(capture.capture_time)],
    ['File', visiting() && capture.athlete_name === undefined ? null : motion.file_name],
    ['Frames', motion.frames > 0 ? `${motion.frames} at ${hertz(motion.rate)}` : null],
    ['Duration', motion.duration > 0 ? seconds(motion.duration) : null],
  ]
  return (
    <div class="report-grid">
      <div class="stack">
        <dl class="facts columns">
          {facts
            .filter(([, v]) => v)
            .map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ))}
        </dl>
        {loaded.problem && <ProblemBox problem={loaded.problem} onRetry={loaded.again} />}
        {frames.length > 0 && points.length > 0 && (
          <Pictures
            motion={motion}
            points={points}
            bones={bones}
            measures={measures}
            store={whole}
            frames={frames}
            marks={marks}
            camera={seen.camera}
            up={seen.up}
          />
        )}
        {[...plotted, ...extras.map((e) => e.channel)].slice(0, plotsMost).map((c) => (
          <PlotFigure key={c.name} channel={c} shelf={shelf} range={seen.time} marks={marks} />
        ))}
        {motion.computed && <Metrics capture={capture} found={motion.computed} />}
      </div>
      {!visiting() && (
        <aside class="stack no-print" aria-label="What the report has">
          {points.length > 0 && (
            <Moments
              motion={motion}
              marks={marks}
              frames={frames}
              seen={seen.frame}
              set={(to) => set('picture', to.map(String))}
            />
          )}
          <Channels
            channels={channels}
            plotted={names}
            most={plotsMost - Math.min(plotsMost, extras.length)}
            toggle={(n) => set('plot', names.includes(n) ? names.filter((p) => p !== n) : [...names, n])}
          />
        </aside>
      )}
    </div>
  )
}
