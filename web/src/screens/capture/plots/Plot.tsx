// One plot with the values that are shown beside its name.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Problem } from '../../../api/problem'
import { ProblemBox } from '../../../ui/problem'
import { useMedia } from '../media'
import type { Player } from '../player'
import type { Channel } from '../types'
import { exact, hertz, round } from '../words'
import type { Chart, Courses } from './chart'
import { dull, hasSamples, heldAt, type Shelf } from './courses'
import type { Mark } from './events'
import { lookNow, shortName } from './looks'
import { Reading } from './Reading'
import type { Range } from './range'
import { Save } from './Save'

const everything: Range = [-Infinity, Infinity]

interface PlotProps {
  channel: Channel
  player: Player
  shelf: Shelf
  whole: Range
  range: Range
  marks: Mark[]
  loaded: boolean
  /** Whether the numbers of the stretch that is shown stand below it. */
  numbers: boolean
  zoom: (from: number, to: number) => void
  remove: () => void
}

export function Plot({ channel, player, shelf, whole, range, marks, loaded, numbers, zoom, remove }: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const chart = useRef<Chart | null>(null)
  const courses = useRef<Courses | null>(null)
  const values = useRef<(HTMLElement | null)[]>([])
  const zoomNow = useRef(zoom)
  zoomNow.current = zoom
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const [samples, setSamples] = useState(hasSamples(channel))
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const looked = useRef(false) // what is dull is hidden once, and then as the person likes
  const [problem, setProblem] = useState<Problem | null>(null)
  const [ready, setReady] = useState(false)
  const [round_, again] = useState(0)
  const [come, setCome] = useState<Courses | null>(null)

  useEffect(() => {
    let gone = false
    let stop = () => {}
    void (async () => {
      const { Chart } = await import('./chart')
      if (gone || !host.current) return
      const one = new Chart(
        host.current,
        channel.columns.map((n) => shortName(channel, n)),
        channel.unit,
        channel.bits === 64,
        whole,
        marks,
        lookNow(),
        { zoom: (a, b) => zoomNow.current(a, b), seek: (t) => player.seekTime(t) },
        'capture',
      )
      chart.current = one
      if (courses.current) one.setCourses(courses.current)
      const observer = new ResizeObserver(() => {
        one.resize()
        one.at(player.timeOf(player.row))
      })
      observer.observe(host.current)
      let shown = 0
      const show = () => {
        const time = player.timeOf(player.row)
        one.at(time)
        const now = performance.now()
        if (player.playing && now - shown < 100) return
        shown = now
        tellValues(channel, courses.current, values.current, time)
      }
      show()
      const off = [player.onRow(show), player.onChange(show)]
      stop = () => {
        observer.disconnect()
        off.forEach((f) => f())
        one.dispose()
      }
      setReady(true)
    })()
    return () => {
      gone = true
      stop()
      chart.current = null
      setReady(false)
    }
  }, [channel, player, marks, whole])

  useEffect(() => {
    let gone = false
    setProblem(null)
    shelf.courses(channel, samples).then(
      (c) => {
        if (gone) return
        courses.current = c
        setCome(c)
        chart.current?.setCourses(c)
        chart.current?.at(player.timeOf(player.row))
        tellValues(channel, c, values.current, player.timeOf(player.row))
        if (!looked.current) {
          looked.current = true
          setHidden(new Set(dull(c)))
        }
        host.current?.setAttribute('data-points', String(c.time.length))
      },
      (thrown: unknown) => {
        if (!gone) setProblem(Problem.from(thrown))
      },
    )
    return () => {
      gone = true
    }
  }, [shelf, channel, samples, loaded, round_])

  useLayoutEffect(() => {
    chart.current?.zoom(...range)
    chart.current?.at(player.timeOf(player.row))
  }, [range, ready])
  useEffect(() => chart.current?.paint(lookNow()), [isDark, ready])
  useEffect(() => channel.columns.forEach((_, i) => chart.current?.show(i, !hidden.has(i))), [hidden, ready])

  // Samples of the last frame that come after it are in no stretch, and yet in all of the time.
  const all = range[0] === whole[0] && range[1] === whole[1]
  // To ask for it at each drawing would have the browser work out styles while a recording plays.
  const look = useMemo(lookNow, [isDark])
  const toggle = (i: number) => {
    const next = new Set(hidden)
    if (!next.delete(i)) next.add(i)
    setHidden(next)
  }
  return (
    <figure class="plot" aria-label={`Course of ${channel.name}${channel.unit ? ` in ${channel.unit}` : ''}`}>
      <figcaption>
        <strong dir="auto">{channel.name}</strong>
        {channel.columns.map((column, i) => (
          <button
            type="button"
            key={column}
            class="series"
            aria-pressed={!hidden.has(i)}
            onClick={() => toggle(i)}
            title="Show or hide"
          >
            <i
              ref={(e) => {
                if (e) e.style.background = look.series[i % look.series.length]!
              }}
            />
            {channel.columns.length > 1 && shortName(channel, column)}{' '}
            <span
              ref={(e) => {
                values.current[i] = e
              }}
              class="mono"
            />
          </button>
        ))}
        <span class="quiet small">
          {channel.unit || 'unit unknown'}
          {channel.measure && ', measured here'}
          {channel.derived && ', derived here'}
        </span>
        {hasSamples(channel) && (
          <label class="check small">
            <input type="checkbox" checked={samples} onChange={(e) => setSamples(e.currentTarget.checked)} />
            <span>
              All {hertz(channel.rate)} {samples ? '' : '(now the first sample of each frame)'}
            </span>
          </label>
        )}
        <Save channel={channel} courses={come} range={all ? everything : range} hidden={hidden} marks={marks} />
        <button type="button" class="close" aria-label={`Close the plot of ${channel.name}`} onClick={remove}>
          ×
        </button>
      </figcaption>
      {problem && <ProblemBox problem={problem} onRetry={() => again((n) => n + 1)} />}
      <div ref={host} class="plot-host" />
      {numbers && (
        <Reading channel={channel} courses={come} player={player} range={all ? everything : range} hidden={hidden} />
      )}
    </figure>
  )
}

/** Writes the values at a time beside the names. */
function tellValues(channel: Channel, c: Courses | null, to: (HTMLElement | null)[], time: number): void {
  if (!c || c.time.length === 0) return
  const at = heldAt(c, time)
  c.columns.forEach((values, i) => {
    const v = values[at]!
    const e = to[i]
    if (e)
      e.textContent =
        v - v !== 0
          ? '–'
          : channel.measure === undefined && channel.derived === undefined && values instanceof Float64Array
            ? exact(v)
            : round(v)
  })
}
