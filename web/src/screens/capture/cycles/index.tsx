// The cycles of a repeated event: what is plotted, laid over each other, and how long they take.

import { useMemo } from 'preact/hooks'
import { LinkButton } from '../../../ui/button'
import { Loading } from '../../../ui/empty'
import { Choice } from '../../../ui/field'
import { ProblemBox } from '../../../ui/problem'
import { addressOf, type Comparison } from '../../compare/address'
import { groupsOf } from '../../compare/bands'
import { Chart } from '../../compare/Chart'
import { happeningsOf } from '../../compare/offers'
import { useNumbers } from '../../compare/read'
import { ownOf, trialOf } from '../../compare/trial'
import { eventText } from '../../compare/words'
import type { Capture, Channel, Motion } from '../types'
import { Durations } from './Durations'
import { cyclesOf, partsOf, readOf, sameOf } from './parts'
import '../../compare/compare.css'

interface Props {
  capture: Capture
  motion: Motion
  computed: Motion['computed']
  /** The channels that are plotted, with measures and what is derived. */
  chosen: readonly Channel[]
  /** The event whose cycles are shown; "" for none. */
  event: string
  setEvent: (name: string) => void
}

/** Cycles is shown where an event repeats. */
export default function Cycles({ capture, motion, computed, chosen, event, setEvent }: Props) {
  const trial = useMemo(() => trialOf(capture, { ...motion, computed }), [capture, motion, computed])
  const repeated = useMemo(() => happeningsOf([trial]).filter((h) => h.repeated > 0), [trial])
  const parts = partsOf(chosen)
  const names = JSON.stringify(parts.map((p) => [p.column, p.how]))
  const trials = useMemo(() => [trial], [trial])
  const numbers = useNumbers(event ? trials : [], readOf(parts, motion))
  const shown = useMemo(() => {
    if (!event || !numbers.complete) return null
    const c: Comparison = {
      captures: [trial.id],
      columns: [...new Set(parts.filter((p) => !p.of.measure).map((p) => p.column))],
      over: 'cycles',
      from: event,
      to: '',
      by: 'all',
      show: 'both',
      off: [],
      figures: null,
      how: sameOf(parts),
    }
    const { lines, lacking } = cyclesOf(c, parts, trial, motion, numbers.of)
    return { c, lacking, groups: groupsOf(c, lines) }
  }, [event, numbers.done, numbers.complete, trials, names])
  if (repeated.length === 0) return null
  const own = ownOf(event)
  const events = own === null ? [event] : [...new Set(trial.marks.filter((m) => m.what === own).map((m) => m.name))]
  const problem = [...numbers.problems.values()][0]
  return (
    <section class="card compare-cycles" aria-labelledby="cycles-title">
      <div class="head">
        <h2 id="cycles-title">Cycles</h2>
        {shown && <LinkButton href={addressOf(shown.c)}>Compare with others</LinkButton>}
      </div>
      <Choice
        label="From an event to its next time"
        value={event}
        options={[['', 'None'], ...repeated.map((h) => [h.name, eventText(h.name)] as const)]}
        onChange={(e) => setEvent(e.currentTarget.value)}
      />
      {problem && <ProblemBox problem={problem} onRetry={numbers.again} />}
      {event && !numbers.complete && <Loading what="Reading the numbers" />}
      {shown && shown.groups.length > 0 && <Chart comparison={shown.c} groups={shown.groups} />}
      {shown?.lacking.map((l) => (
        <p key={l.column} class="quiet small">
          {l.why.startsWith(l.column) ? l.why : `${l.column} ${l.why}`}.
        </p>
      ))}
      {events.filter(Boolean).map((name) => (
        <Durations key={name} marks={trial.marks} event={name} />
      ))}
    </section>
  )
}
