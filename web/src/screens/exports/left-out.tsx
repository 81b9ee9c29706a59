import { useState } from 'preact/hooks'
import { useAction } from '../../api/query'
import { get, type Good } from '../../api/request'
import { Button } from '../../ui/button'
import { ProblemBox } from '../../ui/problem'
import { csvOf, save } from '../../ui/save'
import { count, things } from '../../ui/text'

type Job = Good<'/data/export/job/{jobId}'>
type Skip = NonNullable<Job['skipped']>[number]
type Reasons = NonNullable<Job['skippedReasons']>

/**
 * How many captures of a reason are written out before somebody asks for all, and how many the server names at most.
 */
const first = 10
const most = 10_000

/** byReason puts the captures that the server named below their reasons, in the order of the reasons. */
export function byReason(
  reasons: Reasons,
  list: readonly Skip[],
): { reason: string; count: number; captures: Skip[] }[] {
  const groups = new Map(reasons.map((r) => [r.reason, [] as Skip[]]))
  for (const s of list) groups.get(s.reason)?.push(s)
  return reasons.map((r) => ({ ...r, captures: groups.get(r.reason) ?? [] }))
}

/** asTable writes what was left out as CSV. */
export function asTable(list: readonly Skip[]): string {
  return csvOf([['session_id', 'file_name', 'reason'], ...list.map((s) => [s.captureId, s.fileName ?? '', s.reason])])
}

/** LeftOut says why an export left captures out, how many for each reason, and which. */
export function LeftOut({ id, list, reasons }: { id: string; list: readonly Skip[]; reasons: Reasons }) {
  const [whole, setWhole] = useState<readonly Skip[] | null>(null)
  const known = whole ?? list
  const all = reasons.reduce((sum, r) => sum + r.count, 0)
  const load = async () => {
    if (all <= list.length) return list
    const job = await get('/data/export/job/{jobId}', {
      path: { jobId: id },
      query: { include: 'file', skipped: most },
    })
    const got = job.skipped ?? []
    setWhole(got)
    return got
  }
  const more = useAction(async () => {
    await load()
  })
  const table = useAction(async () => {
    save(`export-${id}-left-out.csv`, new Blob([asTable(await load())], { type: 'text/csv' }))
  })
  const problem = more.problem ?? table.problem
  return (
    <section class="stack" aria-labelledby="skipped">
      <div class="head">
        <div>
          <h2 id="skipped">Left out</h2>
          <p class="quiet" role="status">
            {all === 1 ? '1 capture was left out.' : `${count(all)} captures were left out.`}
            {all > known.length && ` The first ${count(known.length)} of them are named here.`}
          </p>
        </div>
        <div class="row">
          {all > known.length && whole === null && (
            <Button busy={more.running} onClick={() => void more.run()}>
              Name all {all > most ? `(the first ${count(most)})` : ''}
            </Button>
          )}
          <Button busy={table.running} onClick={() => void table.run()}>
            Download the list as CSV
          </Button>
        </div>
      </div>
      {problem && <ProblemBox problem={problem} />}
      {byReason(reasons, known).map((r) => (
        <Reason key={r.reason} {...r} />
      ))}
    </section>
  )
}

function Reason({ reason, count: n, captures }: { reason: string; count: number; captures: readonly Skip[] }) {
  const [open, setOpen] = useState(false)
  const shown = open ? captures : captures.slice(0, first)
  return (
    <div class="card stack tight left-out">
      <h3 dir="auto">
        {reason} <span class="quiet small">{things(n, 'capture')}</span>
      </h3>
      {captures.length === 0 && <p class="quiet small">None of them is among those that are named.</p>}
      <ul>
        {shown.map((s) => (
          <li key={s.captureId}>
            <a href={`/captures/${encodeURIComponent(s.captureId)}`} dir="auto">
              {s.fileName ?? s.captureId}
            </a>
          </li>
        ))}
      </ul>
      {captures.length > shown.length && (
        <div>
          <Button onClick={() => setOpen(true)}>Show {things(captures.length - shown.length, 'more', 'more')}</Button>
        </div>
      )}
    </div>
  )
}
