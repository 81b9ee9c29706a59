import { useState } from 'preact/hooks'
import { useAction } from '../../api/query'
import { useMay } from '../../api/session'
import { Button, LinkButton } from '../../ui/button'
import { compared, comparedMost, underWay } from '../../ui/comparison'
import { lazy } from '../../ui/lazy'
import { saveTable } from '../../ui/save'
import { count, things } from '../../ui/text'
import { tell } from '../../ui/toast'
import type { Deed } from './bulk'
import type { Run } from './bulk/run'
import type { Choice } from './choice'
import { chosenMost, matching } from './matching'
import type { Capture } from './rows'

const Bulk = lazy(() => import('./bulk'), null)
const Exporting = lazy(() => import('./bulk/Exporting'), null)

interface Props {
  choice: Choice
  /** How many captures the list has, and the query that lists them. */
  total: number
  query: Record<string, string | number | null | undefined>
  /** Told when captures were changed. */
  changed: () => void
}

/** Chosen is what can be done with the rows that are chosen; it is there as soon as one is. */
export function Chosen({ choice, total, query, changed }: Props) {
  const may = useMay()
  const [deed, setDeed] = useState<Deed | 'export' | null>(null)
  const [read, setRead] = useState(0)
  const all = useAction(async () => {
    setRead(0)
    choice.all(await matching(query, setRead, new AbortController().signal), true)
  })
  const captures = [...choice.chosen.values()]
  const ids = [...choice.chosen.keys()]
  if (ids.length === 0 && !deed) return null
  const before = underWay()?.getAll('capture').length ?? 0
  const ended = (run: Run) => {
    // What failed stays chosen, to be looked at or tried again.
    choice.all(run.done, false)
    if (run.done.length === run.all) tell(`${things(run.all, 'capture')} done.`)
    changed()
  }
  return (
    <section class="card row chosen" aria-label="Chosen captures">
      <strong role="status">{things(ids.length, 'capture')} chosen</strong>
      <Button kind="quiet" onClick={choice.clear}>
        Choose none
      </Button>
      {total > ids.length && (
        <Button kind="quiet" busy={all.running} onClick={() => void all.run()}>
          {all.running
            ? `Reading: ${count(read)} of ${count(total)}`
            : total > chosenMost
              ? `Choose the first ${count(chosenMost)} of ${count(total)}`
              : `Choose all ${count(total)}`}
        </Button>
      )}
      {all.problem && <span class="small why">{all.problem.message}</span>}
      {ids.length <= comparedMost ? (
        <LinkButton href={compared(ids)}>Compare</LinkButton>
      ) : (
        <span class="small">A comparison takes {comparedMost} captures at most.</span>
      )}
      {before > 0 && before + ids.length <= comparedMost && (
        <LinkButton href={compared(ids, true)}>Add to the comparison of {before}</LinkButton>
      )}
      {may('exports:write') && may('exports:read') && <Button onClick={() => setDeed('export')}>Export</Button>}
      <Button onClick={() => saveTable('captures.csv', tableOf(captures))}>List as CSV</Button>
      {may('captures:write') && (
        <>
          {may('athletes:read') && <Button onClick={() => setDeed('link')}>Link an athlete</Button>}
          <Button onClick={() => setDeed('label')}>Label</Button>
          <Button kind="danger" onClick={() => setDeed('delete')}>
            Delete
          </Button>
        </>
      )}
      {deed === 'export' && (
        <Exporting captures={captures} close={() => setDeed(null)} leaving={(some) => choice.all(some, false)} />
      )}
      {deed && deed !== 'export' && (
        <Bulk
          deed={deed}
          captures={captures}
          close={() => setDeed(null)}
          ended={ended}
          leaving={(some) => choice.all(some, false)}
        />
      )}
    </section>
  )
}

/** tableOf is what a list says of captures. */
function tableOf(captures: readonly Capture[]): (string | number | null)[][] {
  const head = 'session_id,file_name,athlete_id,athlete_name,activity,movement,status,capture_time,fps_detected,error'
  return [
    head.split(','),
    ...captures.map((c) => [
      c.session_id,
      c.file_name ?? null,
      c.athlete_id,
      c.athlete_name ?? null,
      c.activity,
      c.movement,
      c.status,
      c.capture_time,
      c.fps_detected,
      c.error,
    ]),
  ]
}
