import { useEffect, useMemo, useRef } from 'preact/hooks'
import { visiting } from '../../api/request'
import { go, usePlace } from '../../route'
import { Button } from '../../ui/button'
import { remember } from '../../ui/comparison'
import { Empty, Loading } from '../../ui/empty'
import { lazy } from '../../ui/lazy'
import { ProblemBox } from '../../ui/problem'
import { ShareButton } from '../../ui/share'
import { things } from '../../ui/text'
import { addressOf, comparisonOf, numbered, type Comparison } from './address'
import { Axis } from './Axis'
import { groupsOf, type Group } from './bands'
import { Captures } from './Captures'
import { Chart } from './Chart'
import { Columns } from './Columns'
import { seenWith } from './figures/seen'
import { figuresFor } from './offers'
import { linesOf, type Lines } from './lines'
import { metricsOf, peaksOf, tableOf } from './metrics'
import { useNumbers, useTrials } from './read'
import { Table } from './Table'
import './compare.css'

/** Figures come where somebody wants to see some. */
const Figures = lazy(() => import('./figures'))

/** Shown is a comparison as far as its numbers are there. */
interface Shown extends Lines {
  comparison: Comparison
  groups: Group[]
}

/** withSeen is an address with more behind it. */
function withSeen(place: string, seen: string): string {
  return seen ? place + (place.includes('?') ? seen : `?${seen.slice(1)}`) : place
}

/** placeOf is where a comparison is shown: on a page of its own, or in a report, whose words it keeps. */
function placeOf(c: Comparison, within: string | undefined): string {
  return within === undefined ? addressOf(c) : addressOf(c).replace('/compare', '/report') + within
}

interface Props {
  /** In a report it has no title of its own, and its address is the report's. */
  within?: string
}

/** Compare puts channels of captures into one chart. The address has all of it. */
export default function Compare({ within }: Props) {
  const { query } = usePlace()
  const text = query.toString()
  const comparison = useMemo(() => comparisonOf(new URLSearchParams(text)), [text])
  const change = (to: Partial<Comparison>) => {
    const next = { ...comparison, ...to }
    go(withSeen(placeOf(next, within), seenWith(comparison, next)), { replace: true, keepScroll: true })
  }
  useEffect(() => {
    if (within === undefined) document.title = 'Compare · Kinebase'
  }, [])
  useEffect(() => {
    if (!visiting() && within === undefined) remember(new URLSearchParams(text))
  }, [text])

  const found = useTrials(comparison.captures)
  const read = comparison.captures.flatMap((id) => found.of.get(id) ?? []).filter((t) => t.motion.frames > 0)
  const ids = JSON.stringify(read.map((t) => t.id))
  const trials = useMemo(() => read, [ids])
  const numbers = useNumbers(found.complete ? trials : [], comparison.columns)
  const complete = found.complete && numbers.complete

  // What is shown stays until all of what comes next is there.
  const last = useRef<Shown | null>(null)
  const shown = useMemo(() => {
    if (!complete) return last.current
    const lines = linesOf(comparison, trials, numbers.of)
    return { comparison, ...lines, groups: groupsOf(comparison, lines.lines) }
  }, [complete, comparison, trials, numbers.done])
  last.current = shown
  const table = useMemo(
    () => shown && tableOf(trials, [...peaksOf(shown.lines), ...metricsOf(trials)], shown.comparison.by),
    [shown, trials],
  )
  useEffect(() => {
    if (complete && shown && shown.lines.length > 0) performance.mark('compared')
  }, [complete, shown])

  if (comparison.captures.length === 0) {
    return (
      <Empty whole title="Nothing to compare yet">
        <p>
          Choose captures in <a href="/captures">the list</a>, and then “Compare”.
        </p>
      </Empty>
    )
  }
  const offered = figuresFor(comparison, trials)
  const problem = [...found.problems.values(), ...numbers.problems.values()].find((p) => p.passing)
  return (
    <>
      {within === undefined && (
        <div class="head">
          <h1>Compare</h1>
          <div class="row no-print">
            <ShareButton
              kind="comparison"
              captures={comparison.captures}
              view={() => addressOf(numbered(comparison)).replace('/compare', '') + seenWith(comparison, comparison)}
            />
            {!visiting() && (
              <Button onClick={() => go(placeOf(comparison, '') + seenWith(comparison, comparison))}>Report</Button>
            )}
            <Button onClick={() => print()}>Print</Button>
          </div>
        </div>
      )}
      {problem && (
        <ProblemBox
          problem={problem}
          onRetry={() => {
            found.again()
            numbers.again()
          }}
        />
      )}
      <div class="compare">
        <div class="stack">
          {!complete && (
            <Loading
              what={
                found.complete
                  ? `Reading the numbers of ${numbers.done + 1} of ${things(trials.length, 'capture')}`
                  : `Reading ${found.done + 1} of ${things(comparison.captures.length, 'capture')}`
              }
            />
          )}
          {complete && comparison.columns.length === 0 && (
            <Empty title="No channel is chosen">
              <p>Choose channels under “Channels”: their courses are shown here, on one axis.</p>
            </Empty>
          )}
          {shown && shown.lines.length > 0 && <Chart comparison={shown.comparison} groups={shown.groups} />}
          {complete && comparison.columns.length > 0 && shown?.lines.length === 0 && (
            <Empty title="No capture has a line here">
              <p>Each capture says below what it lacks.</p>
            </Empty>
          )}
          {table && <Table table={table} />}
          {found.complete && comparison.figures && (
            <Figures figures={comparison.figures} trials={trials} change={(figures) => change({ figures })} />
          )}
          {found.complete && !comparison.figures && offered && (
            <div class="no-print">
              <Button onClick={() => change({ figures: offered })}>Two figures in one scene</Button>
            </div>
          )}
        </div>
        <aside class="stack" aria-label="What is compared">
          {found.complete && (
            <>
              <Axis comparison={comparison} trials={trials} change={change} />
              <Columns comparison={comparison} trials={trials} change={change} />
            </>
          )}
          <Captures
            comparison={comparison}
            trials={found.of}
            problems={new Map([...found.problems, ...numbers.problems])}
            lacking={shown?.lacking ?? []}
            change={change}
          />
        </aside>
      </div>
    </>
  )
}
