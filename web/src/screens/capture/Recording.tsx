// What a capture's file holds: the scene, the plots, and what is told of it.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { visiting } from '../../api/request'
import { go, usePlace } from '../../route'
import { Button } from '../../ui/button'
import { Empty } from '../../ui/empty'
import { lazy } from '../../ui/lazy'
import { Controls } from './Controls'
import { Facts } from './details/Facts'
import { Events, Metrics, Warnings } from './details/Lists'
import { Awaited, Measured } from './details/Measured'
import { Films } from './film/Films'
import { framesOf, useFrames } from './frames'
import { useKeys } from './keys'
import type { Linked } from './linked'
import type { Loop } from './loop'
import type { Measuring } from './measured'
import { assumed, Player } from './player'
import { Channels } from './plots/Channels'
import { Shelf } from './plots/courses'
import { derivedText, extrasOf, measuresOf } from './plots/derived'
import { eventsOf } from './plots/events'
import { usePlatforms } from './forces'
import { platformsOf } from './platforms'
import { Plots } from './plots/Plots'
import { pointsOf, upOf } from './scene/points'
import { seenOf } from './seen'
import { place } from './skeleton/names'
import { useBones, type Bones } from './skeleton/use'
import { Stage } from './Stage'
import { useLoop } from './use-loop'
import type { Capture as CaptureShape, Channel, Motion, MotionEvent } from './types'

/** The editor of bones comes when somebody opens it. */
const Editor = lazy(() => import('./skeleton/Editor'))

/** The forms come when somebody opens them. */
const Measure = lazy(() => import('./measure/Measure'))
const Derive = lazy(() => import('./plots/Derive'))

/** Cycles come where there are some. */
const Cycles = lazy(() => import('./cycles'))

/** repeats says whether an event happens more than once. */
function repeats(events: readonly MotionEvent[]): boolean {
  return new Set(events.map((e) => JSON.stringify([e.label, e.context]))).size < events.length
}

/** More plots than this are no help to anybody. */
const plotsMost = 8

/** What one likes to see first: the middle of the body, or else what is no point. */
function firstPlot(motion: Motion): Channel | undefined {
  const points = pointsOf(motion)
  return (
    points.find((c) => ['pelvis', 'sacrum'].includes(place(c.name).part)) ??
    // What a video processor says of its own work comes last.
    motion.channels.find((c) => c.kind !== 'point' && c.unit !== 'px' && !/_(confidence|cameras)$/.test(c.name)) ??
    points.find((c) => ['hip', 'asis'].includes(place(c.name).part)) ??
    points[0]
  )
}

/** Bare is the player of what has no points: its keys move nothing but the time. */
function Bare({ player, events, loop }: { player: Player; events: readonly MotionEvent[]; loop: Loop }) {
  useKeys(player, events, nothing)
  return (
    <section class="card" aria-label="Player">
      <Controls player={player} events={events} loop={loop} store={null} />
    </section>
  )
}

/** BoneCard is what the points are joined by, and the way to change it. */
function BoneCard({ bones, picked }: { bones: Bones; picked: string | null }) {
  const [open, setOpen] = useState(false)
  const label = bones.points.find((p) => p.name === picked)?.label ?? null
  return (
    <details class="card bones" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>Bones</summary>
      {open && <Editor bones={bones} picked={label} />}
    </details>
  )
}

const nothing = { around: () => {}, nearer: () => {}, labels: () => {}, fullscreen: () => {}, home: () => {} }

/** Recording is what a capture's file holds: the scene, the plots and what is told of it. */
export function Recording({
  id,
  capture,
  motion,
  computed,
  measuring,
  linked,
}: {
  id: string
  capture: CaptureShape
  motion: Motion
  /** What was computed, which may change while the motion stays. */
  computed: Motion['computed']
  measuring: Measuring
  linked: Linked[]
}) {
  const { query } = usePlace()
  const loaded = useFrames(id, motion)
  const points = useMemo(() => pointsOf(motion), [motion])
  const bones = useBones(motion, points)
  const player = useMemo(() => {
    const one = new Player({ rows: motion.frames, start: motion.start, rate: motion.rate, time: null })
    const { frame } = seenOf(new URLSearchParams(location.search))
    if (frame !== null) one.seek(frame)
    return one
  }, [motion])
  const loop = useLoop(player)
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

  const channels = useMemo<Channel[]>(() => [...motion.channels, ...platformsOf(motion)], [motion])
  const platforms = usePlatforms(id, motion, whole)
  const first = useMemo(() => firstPlot(motion), [motion])
  const names = query.has('plot') ? query.getAll('plot').filter(Boolean) : first ? [first.name] : []
  const plotted = names.map((n) => channels.find((c) => c.name === n)).filter((c): c is Channel => c !== undefined)
  const texts = JSON.stringify([query.getAll('measure'), query.getAll('derived')])
  const extras = useMemo(() => {
    const [measures, derived] = JSON.parse(texts) as [string[], string[]]
    return extrasOf(measures, derived, channels, motion)
  }, [texts, motion, channels])
  const measures = useMemo(() => measuresOf(extras), [extras])
  const own = plotted.slice(0, plotsMost - Math.min(plotsMost, extras.length))
  const chosen = [...own, ...extras.map((m) => m.channel)].slice(0, plotsMost)
  const setQuery = (change: (query: URLSearchParams) => void) => {
    const next = new URLSearchParams(location.search)
    change(next)
    go(next.size > 0 ? `${location.pathname}?${next}` : location.pathname, { replace: true, keepScroll: true })
  }
  const set = (name: string, value: string) => setQuery((q) => (value ? q.set(name, value) : q.delete(name)))
  const setPlots = (to: string[]) =>
    setQuery((q) => {
      q.delete('plot')
      for (const name of to.length > 0 ? to : ['']) q.append('plot', name)
    })
  const shown = own.map((c) => c.name)
  const toggle = (n: string) => setPlots(shown.includes(n) ? shown.filter((p) => p !== n) : [...shown, n])
  const events = useMemo(() => eventsOf(motion.events, computed), [motion, computed])
  const [deriving, setDeriving] = useState(false)
  const [measured, setMeasured] = useState(false)
  const [picked, setPicked] = useState<string | null>(null)
  const begun = store !== null
  const up = useMemo(() => (store && points.length > 0 ? upOf(motion, points, store) : '+z'), [begun, motion, points])
  const moving = motion.frames > 0 && motion.channels.length > 0

  return (
    <div class="capture-grid">
      <div class="capture-main">
        {!visiting() && <Films id={id} motion={motion} points={points} bones={bones} player={moving ? player : null} />}
        {moving && points.length > 0 && (
          <Stage
            motion={motion}
            points={points}
            bones={bones}
            store={store}
            platforms={platforms}
            events={events}
            measures={measures}
            player={player}
            loop={loop}
            problem={loaded.problem}
            again={loaded.again}
            shown={loaded.shown}
            plot={(n) => {
              if (!shown.includes(n)) setPlots([...shown, n])
            }}
            picked={setPicked}
          />
        )}
        {moving && points.length === 0 && <Bare player={player} events={events} loop={loop} />}
        {store && store.stride > 1 && (
          <p class="notice small">
            This recording is so long that every {store.stride}th frame of its points is shown. The channels in the
            plots, the downloads and exports have all of them.
          </p>
        )}
        {moving && (
          <Plots
            motion={motion}
            events={events}
            player={player}
            shelf={shelf}
            chosen={chosen}
            remove={(name) => {
              const extra = extras.find((m) => m.channel.name === name)
              if (!extra) return toggle(name)
              setQuery((q) => q.delete(extra.param, extra.text))
            }}
            numbers={query.has('numbers')}
            setNumbers={(on) => set('numbers', on ? '1' : '')}
            loaded={whole || (points.length === 0 && (motion.even || loaded.problem !== null))}
          />
        )}
        {moving &&
          repeats(events) &&
          (query.has('cycles') ? (
            <Cycles
              capture={capture}
              motion={motion}
              computed={computed}
              chosen={chosen}
              event={query.get('cycles') ?? ''}
              setEvent={(name) => setQuery((q) => q.set('cycles', name))}
            />
          ) : (
            <div>
              <Button onClick={() => setQuery((q) => q.set('cycles', ''))}>Cycles of an event</Button>
            </div>
          ))}
        {!moving && !motion.video && (
          <Empty title="Nothing moves here">
            <p>The file holds no frames, or nothing in them.</p>
          </Empty>
        )}
      </div>
      <aside class="capture-side" aria-label="About this capture">
        {motion.warnings.length > 0 && <Warnings motion={motion} />}
        {measuring.missing ? (
          <Awaited measuring={measuring} />
        ) : (
          computed &&
          (computed.reason || computed.metrics.length + computed.withheld.length > 0) && (
            <Measured capture={capture} found={computed} player={player} />
          )
        )}
        {motion.events.length > 0 && <Events motion={motion} player={player} />}
        {motion.metrics.length > 0 && <Metrics motion={motion} />}
        <Facts capture={capture} motion={motion} linked={linked} fileName={null} />
        {moving && points.length > 1 && (
          <details class="card measure" onToggle={(e) => setMeasured(e.currentTarget.open)}>
            <summary>Measure</summary>
            {measured && (
              <Measure
                points={points.map((c) => c.name)}
                up={up}
                picked={picked}
                full={chosen.length >= plotsMost}
                add={(text) =>
                  setQuery((q) => {
                    if (!q.has('measure', text)) q.append('measure', text)
                  })
                }
              />
            )}
          </details>
        )}
        {moving && (
          <details class="card measure" onToggle={(e) => setDeriving(e.currentTarget.open)}>
            <summary>Smoothing and slope</summary>
            {deriving && (
              <Derive
                channels={[...chosen.filter((c) => !c.derived), ...channels.filter((c) => !shown.includes(c.name))]}
                full={chosen.length >= plotsMost}
                add={(name, how) => {
                  const text = derivedText(name, how)
                  setQuery((q) => {
                    if (!q.has('derived', text)) q.append('derived', text)
                  })
                }}
              />
            )}
          </details>
        )}
        {moving && points.length > 1 && !visiting() && <BoneCard bones={bones} picked={picked} />}
        {moving && (
          <Channels
            channels={channels}
            plotted={shown}
            most={plotsMost - (chosen.length - own.length)}
            toggle={toggle}
          />
        )}
      </aside>
    </div>
  )
}
