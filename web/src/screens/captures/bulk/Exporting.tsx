// The dialog that exports the captures that are chosen.

import { newKey } from 'kinebase/key'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useAction, useQuery } from '../../../api/query'
import { get, send } from '../../../api/request'
import { go } from '../../../route'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { faultsOf } from '../../../ui/faults'
import { Choice } from '../../../ui/field'
import { ProblemBox } from '../../../ui/problem'
import { Suggest } from '../../../ui/suggest'
import { count, things } from '../../../ui/text'
import { EstimateLine, useEstimate } from '../../exports/estimate'
import { knownOf } from '../../exports/known'
import { addressOf, remember } from '../../exports/remembered'
import { bodyOf, faultIn, fieldNames, rowKinds, wishOf, type Wish } from '../../exports/wish'
import type { Capture } from '../rows'

interface Props {
  captures: readonly Capture[]
  close: () => void
  /** Told which are not to be exported, for they are not there any more. */
  leaving: (captures: readonly Capture[]) => void
}

/** Exporting asks what a row is, starts the export, and goes to its page. */
export default function Exporting({ captures, close, leaving }: Props) {
  const ids = captures.map((c) => c.session_id)
  const [wish, setWish] = useState<Wish>({ ...wishOf(new URLSearchParams()), chosen: ids.length })
  const asked = JSON.stringify([wish, ids])
  // The same click counts once; another wish is another export.
  const key = useRef(newKey())
  const start = useAction(async () => {
    const job = await send('post', '/data/export', { body: bodyOf(wish, ids), key: key.current })
    const told = { ...wish, chosen: ids.length }
    remember(job.jobId, told)
    go(addressOf(job.jobId, told))
  })
  useEffect(() => {
    key.current = newKey()
    start.clear()
  }, [asked])
  const estimate = useEstimate(wish, ids)
  const ready = captures.filter((c) => c.status === 'completed')
  const unready = captures.length - ready.length
  const first = ready[0]?.session_id
  const motion = useQuery(wish.rows === 'event' && first !== undefined ? `events ${first}` : null, (signal) =>
    get('/captures/{captureId}/motion', { path: { captureId: first! }, signal }),
  )
  const events = useMemo(() => knownOf(motion.data ?? null, false).events, [motion.data])
  const [tried, setTried] = useState(false)
  const own = faultIn(wish)
  const problem = start.problem ?? (estimate.loading || estimate.problem?.status !== 400 ? null : estimate.problem)
  // One that somebody deleted meanwhile is refused by its name.
  const gone = problem?.status === 400 ? captures.find((c) => problem.message.includes(`"${c.session_id}"`)) : undefined
  return (
    <Dialog title={`Export: ${things(ids.length, 'capture')}`} onClose={close}>
      <form
        class="stack"
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          setTried(true)
          if (!own) void start.run()
        }}
      >
        <Choice
          label="Rows"
          value={wish.rows}
          options={rowKinds}
          onChange={(e) => setWish({ ...wish, rows: e.currentTarget.value as Wish['rows'] })}
        />
        {wish.rows === 'event' && (
          <Suggest
            label="Event"
            value={wish.event}
            options={events}
            placeholder="left_foot_strike"
            fault={tried ? faultsOf(own, fieldNames).of.row_filter_column : undefined}
            onValue={(event) => setWish({ ...wish, event })}
          />
        )}
        {unready > 0 && (
          <p class="notice small">
            {count(unready)} of the captures {unready === 1 ? 'is' : 'are'} not completed. The export leaves{' '}
            {unready === 1 ? 'it' : 'them'} out, and its page says which.
          </p>
        )}
        {problem && <ProblemBox problem={problem} />}
        {gone && captures.length > 1 && (
          <p>
            <Button onClick={() => leaving([gone])}>Leave {gone.file_name ?? gone.session_id} out</Button>
          </p>
        )}
        <EstimateLine wish={wish} estimate={estimate} />
        <footer class="row end">
          <Button onClick={close}>Cancel</Button>
          <Button kind="main" type="submit" busy={start.running}>
            Start the export
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
