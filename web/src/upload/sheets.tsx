import { useEffect, useMemo, useState } from 'preact/hooks'
import { Problem } from '../api/problem'
import { Button } from '../ui/button'
import { ProblemBox } from '../ui/problem'
import { count, things } from '../ui/text'
import { Called } from './called'
import { planOf, type Plan } from './plan'

/** How many lines are told of. */
const shown = 8

/** Planned is what tables say of files, as soon as it is known. */
export interface Planned {
  plan: Plan | null
  /** The tables are not read yet for these very files. */
  pending: boolean
  problem: Problem | null
  again: () => void
}

/** usePlan reads tables whenever there are other files or other tables; take is told of each plan. */
export function usePlan(
  sheets: readonly File[],
  files: readonly File[],
  reads: boolean,
  take: (plan: Plan, sheets: readonly File[]) => void,
): Planned {
  const called = useMemo(() => (reads ? new Called() : null), [reads])
  const [known, setKnown] = useState<{ plan: Plan; sheets: readonly File[]; files: readonly File[] } | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [round, again] = useState(0)
  useEffect(() => {
    setProblem(null)
    if (sheets.length === 0) return setKnown(null)
    let gone = false
    planOf(sheets, files, called).then(
      (plan) => {
        if (gone) return
        take(plan, sheets)
        setKnown({ plan, sheets, files })
      },
      (thrown: unknown) => {
        if (!gone) setProblem(Problem.from(thrown))
      },
    )
    return () => {
      gone = true
    }
  }, [sheets, files, called, round])
  const pending = sheets.length > 0 && (known?.sheets !== sheets || known.files !== files)
  return { plan: sheets.length > 0 ? (known?.plan ?? null) : null, pending, problem, again: () => again((n) => n + 1) }
}

/** Told says which files the tables speak of, and which lines apply to nothing. */
export function Told({ planned, of, without }: { planned: Planned; of: number; without: () => void }) {
  const { plan, problem, again } = planned
  return (
    <div class="notice stack tight">
      {problem && <ProblemBox problem={problem} onRetry={again} />}
      <div role="status">
        <p class="strong">
          {plan
            ? `The table kinebase.csv speaks of ${count(plan.rows.size)} of ${things(of, 'file')}`
            : 'The table kinebase.csv is being read'}
        </p>
        {plan && plan.notes.length > 0 && (
          <ul class="left">
            {plan.notes.slice(0, shown).map((note) => (
              <li key={note} dir="auto">
                {note}
              </li>
            ))}
            {plan.notes.length > shown && <li>and {count(plan.notes.length - shown)} more</li>}
          </ul>
        )}
      </div>
      <div>
        <Button kind="quiet" onClick={without}>
          Without the table
        </Button>
      </div>
    </div>
  )
}
