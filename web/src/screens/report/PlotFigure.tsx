// One chart of a report.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Problem } from '../../api/problem'
import { dashOf, inkOf } from '../../ui/figure/figure'
import { Marks } from '../../ui/figure/svg'
import { Loading } from '../../ui/empty'
import { ProblemBox } from '../../ui/problem'
import { useWidth } from '../../ui/width'
import type { Courses } from '../capture/plots/chart'
import { dull, hasSamples, type Shelf } from '../capture/plots/courses'
import type { Mark } from '../capture/plots/events'
import type { Range } from '../capture/plots/range'
import { Save } from '../capture/plots/Save'
import { plotFigure } from '../capture/plots/saved'
import type { Channel } from '../capture/types'

const everything: Range = [-Infinity, Infinity]

interface Props {
  channel: Channel
  shelf: Shelf
  range: Range | null
  marks: readonly Mark[]
}

export function PlotFigure({ channel, shelf, range, marks }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, 700)
  const [courses, setCourses] = useState<Courses | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [round, again] = useState(0)
  useEffect(() => {
    let gone = false
    setProblem(null)
    shelf.courses(channel, hasSamples(channel)).then(
      (c) => {
        if (!gone) setCourses(c)
      },
      (thrown: unknown) => {
        if (!gone) setProblem(Problem.from(thrown))
      },
    )
    return () => {
      gone = true
    }
  }, [shelf, channel, round])
  const hidden = useMemo(() => new Set(courses ? dull(courses) : []), [courses])
  const shown = range ?? everything
  const drawn = useMemo(
    () => courses && plotFigure(channel, courses, shown, hidden, marks, width),
    [channel, courses, shown[0], shown[1], hidden, marks, width],
  )
  return (
    <figure class="report-plot" aria-label={`Course of ${channel.name} in ${channel.unit || 'an unknown unit'}`}>
      <figcaption class="head">
        <strong dir="auto">{channel.name}</strong>
        <Save channel={channel} courses={courses} range={shown} hidden={hidden} marks={marks} />
      </figcaption>
      <div ref={box} class="figure">
        {problem && <ProblemBox problem={problem} onRetry={() => again((n) => n + 1)} />}
        {!drawn && !problem && <Loading what={`Reading ${channel.name}`} />}
        {drawn && (
          <svg
            width={width}
            height={drawn.figure.height}
            viewBox={`0 0 ${width} ${drawn.figure.height}`}
            aria-hidden="true"
          >
            <Marks figure={drawn.figure} />
          </svg>
        )}
      </div>
      {drawn && drawn.names.length > 1 && (
        <ul class="report-legend">
          {drawn.names.map((name, n) => (
            <li key={name}>
              <svg class="swatch" viewBox="0 0 28 12" aria-hidden="true">
                <path class={`line ${inkOf(n)}`} d="M1 6h26" stroke-dasharray={dashOf(n) || undefined} />
              </svg>
              <span dir="auto">{name}</span>
            </li>
          ))}
        </ul>
      )}
    </figure>
  )
}
