import { useEffect, useMemo, useState } from 'preact/hooks'
import { Problem } from '../api/problem'
import { Button } from '../ui/button'
import { Check } from '../ui/field'
import { ProblemBox } from '../ui/problem'
import { count, things } from '../ui/text'
import { Called } from './called'
import type { Group } from './groups'
import { pathOf } from './kinds'
import { toldOf } from './names'
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
export function usePlan(groups: readonly Group[], reads: boolean, take: (plan: Plan) => void): Planned {
  const called = useMemo(() => (reads ? new Called() : null), [reads])
  const [known, setKnown] = useState<{ plan: Plan; groups: readonly Group[] } | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [round, again] = useState(0)
  const some = groups.some((g) => g.sheets.length > 0)
  useEffect(() => {
    setProblem(null)
    if (!some) return setKnown(null)
    let gone = false
    planOf(groups, called).then(
      (plan) => {
        if (gone) return
        take(plan)
        setKnown({ plan, groups })
      },
      (thrown: unknown) => {
        if (!gone) setProblem(Problem.from(thrown))
      },
    )
    return () => {
      gone = true
    }
  }, [groups, called, round])
  const pending = some && known?.groups !== groups
  return { plan: some ? (known?.plan ?? null) : null, pending, problem, again: () => again((n) => n + 1) }
}

interface ToldProps {
  planned: Planned
  of: number
  /** Whether the names of points that tables give are kept for the organization. */
  naming: boolean
  onNaming: (yes: boolean) => void
  without: () => void
}

/** Told says which files the tables speak of, and which lines apply to nothing. */
export function Told({ planned, of, naming, onNaming, without }: ToldProps) {
  const { plan, problem, again } = planned
  const landmarks = plan ? toldOf(plan.names) : []
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
      {landmarks.length > 0 && (
        <Check
          label={
            <>
              Call points so in all recordings of this organization, from now on: {landmarks.join(', ')}. They are
              measured once more then.
            </>
          }
          checked={naming}
          onChange={(e) => onNaming(e.currentTarget.checked)}
        />
      )}
      <div>
        <Button kind="quiet" onClick={without}>
          Without the table
        </Button>
      </div>
    </div>
  )
}

interface LooseProps {
  sheet: File
  groups: readonly Group[]
  give: (to: Group) => void
  without: () => void
}

/** Loose asks which files a table speaks of that was chosen without any. */
export function Loose({ sheet, groups, give, without }: LooseProps) {
  return (
    <div class="notice stack tight">
      <p class="strong" role="status">
        <span dir="auto">{pathOf(sheet)}</span> was chosen by itself: it says nothing of files of another choice, unless
        you want it to
      </p>
      <div class="row">
        {groups.map((g, n) => (
          <Button key={n} onClick={() => give(g)}>
            Use it for {things(g.files.length, 'file')}: {pathOf(g.files[0]!)}
            {g.files.length > 1 && ' …'}
          </Button>
        ))}
        <Button kind="quiet" onClick={without}>
          Leave it out
        </Button>
      </div>
    </div>
  )
}
