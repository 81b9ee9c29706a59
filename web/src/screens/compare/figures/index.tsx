// Two captures of a comparison as figures that move together.

import { useEffect, useMemo } from 'preact/hooks'
import { Button } from '../../../ui/button'
import { Loading } from '../../../ui/empty'
import { ProblemBox } from '../../../ui/problem'
import { useFrames } from '../../capture/frames'
import { pointsOf } from '../../capture/scene/points'
import { useBones } from '../../capture/skeleton/use'
import type { Figures as Shown } from '../address'
import type { Trial } from '../trial'
import { Choices } from './Choices'
import { Player } from './Player'
import type { Source } from './posed'
import { clockOf, momentOf, Rows } from './timeline'
import '../../capture/capture.css'
import './figures.css'

interface Props {
  figures: Shown
  /** The captures of the comparison that are read. */
  trials: readonly Trial[]
  change: (to: Shown | null) => void
}

/** Figures is the section of a comparison with two figures. */
export default function Figures({ figures, trials, change }: Props) {
  const [a, b] = figures.pair.map((id) => trials.find((t) => t.id === id && pointsOf(t.motion).length > 0))
  return (
    <section class="card stack figures" aria-labelledby="figures-title">
      <div class="head">
        <h2 id="figures-title">Two figures</h2>
        <span class="no-print">
          <Button onClick={() => change(null)}>Hide</Button>
        </span>
      </div>
      <Choices figures={figures} trials={trials} change={change} />
      {a && b ? (
        <Both key={JSON.stringify(figures.pair)} figures={figures} a={a} b={b} />
      ) : (
        <p class="notice small">One of these captures cannot be read, or has no points to show.</p>
      )}
    </section>
  )
}

/** useSource loads the points of a capture; null until all of them are there, a sentence where they cannot be shown. */
function useSource(trial: Trial) {
  const { motion } = trial
  const points = useMemo(() => pointsOf(motion), [motion])
  const loaded = useFrames(trial.id, motion)
  const bones = useBones(motion, points).drawn
  const { store } = loaded
  useEffect(() => loaded.shown(), [store !== null])
  const whole = store?.complete === true
  const rows = useMemo(() => {
    const clock = whole && store ? clockOf(motion, store) : null
    return clock && new Rows(clock)
  }, [whole, store, motion])
  // Sets of bones may come after the points.
  const source = useMemo((): Source | string | null => {
    if (!whole || !store) return null
    if (!rows) return `Nobody knows when the frames of ${trial.name} are: they cannot be put in step.`
    return { name: trial.name, motion, points, store, bones, rows }
  }, [whole, store, rows, motion, points, bones])
  return { source, problem: loaded.problem, again: loaded.again }
}

function Both({ figures, a, b }: { figures: Shown; a: Trial; b: Trial }) {
  const [one, other] = [useSource(a), useSource(b)]
  const failed = [one, other].find((s) => s.problem)
  if (failed) return <ProblemBox problem={failed.problem!} onRetry={failed.again} />
  const wrong = [one.source, other.source].find((s) => typeof s === 'string')
  if (typeof wrong === 'string') return <p class="notice small">{wrong}</p>
  if (!one.source || !other.source || typeof one.source === 'string' || typeof other.source === 'string')
    return <Loading what="Loading the motion" />
  if (a.motion.metres > 0 !== b.motion.metres > 0) {
    const unknown = a.motion.metres > 0 ? b : a
    return <p class="notice small">The unit of {unknown.name} is not known: it cannot be put beside the other one.</p>
  }
  const moments = [momentOf(a, one.source.rows, figures.at), momentOf(b, other.source.rows, figures.at)]
  const without = [a, b].filter((_, i) => moments[i] === null)
  if (without.length > 0)
    return (
      <p class="notice small">
        {without.map((t) => t.name).join(', ')}: there is no event “{figures.at}”. Choose another moment.
      </p>
    )
  return (
    <Player
      sources={[one.source, other.source]}
      moments={[moments[0]!, moments[1]!]}
      marks={[a.marks, b.marks]}
      figures={figures}
    />
  )
}
