import { useState } from 'preact/hooks'
import { newKey } from 'kinebase/key'
import { useAction, useQuery } from '../../api/query'
import { get, send, type Good } from '../../api/request'
import { useMay } from '../../api/session'
import { usePlace } from '../../route'
import { Button, LinkButton } from '../../ui/button'
import { ExportChip } from '../../ui/chip'
import { Empty, Loading } from '../../ui/empty'
import { ProblemBox } from '../../ui/problem'
import { count, date, time } from '../../ui/text'
import { tell } from '../../ui/toast'
import { Failed } from './failed'
import { wishAt } from './remembered'
import { LeftOut } from './left-out'
import { Result } from './result'
import { formOf, wordsOf, type Wish } from './wish'
import './exports.css'

type Job = Good<'/data/export/job/{jobId}'>

const soon = 1_000
const later = 60_000
/** How long a result is kept, in ms. */
const life = 7 * 86_400_000

/** Export is one export: how far it is, why it failed, or what it has. */
export default function Export({ id }: { id: string }) {
  const { query } = usePlace()
  const may = useMay()
  const told = wishAt(id, query)
  const wish = told?.chosen ? undefined : told // what can be asked for again
  const [ended, setEnded] = useState(false)
  const asked = useQuery(
    `export ${id}`,
    async (signal) => {
      const job = await get('/data/export/job/{jobId}', { path: { jobId: id }, query: { include: 'file' }, signal })
      setEnded(job.status !== 'RUNNING')
      return job
    },
    { every: ended ? later : soon },
  )
  const cancel = useAction(async () => {
    await send('post', '/data/export/job/{jobId}/cancel', { path: { jobId: id }, key: newKey() })
    tell('The export was canceled.')
    asked.refresh()
  })
  const job = asked.data
  if (!job) {
    if (asked.problem?.status === 404 || asked.problem?.status === 400)
      return (
        <Empty title="There is no such export">
          <p>
            <a href="/exports">To the exports</a>
          </p>
        </Empty>
      )
    return asked.problem ? (
      <ProblemBox problem={asked.problem} retryAt={asked.retryAt} onRetry={asked.refresh} />
    ) : (
      <Loading />
    )
  }
  const writes = may('exports:write')
  return (
    <>
      <nav aria-label="Where this is">
        <a href="/exports">Exports</a>
      </nav>
      <div class="head">
        <div class="row">
          <h1>Export of {time(job.createdAt)}</h1>
          <ExportChip status={job.status} />
        </div>
        {writes &&
          (job.status === 'RUNNING' ? (
            <Button kind="danger" busy={cancel.running} onClick={() => void cancel.run()}>
              Cancel the export
            </Button>
          ) : (
            wish && <LinkButton href={formOf(wish)}>Ask for it again</LinkButton>
          ))}
      </div>
      {asked.problem && <ProblemBox problem={asked.problem} retryAt={asked.retryAt} onRetry={asked.refresh} />}
      {cancel.problem && <ProblemBox problem={cancel.problem} />}
      <Facts job={job} wish={told} />
      {job.status === 'RUNNING' && <Progress progress={job.progress ?? 0} />}
      {job.status === 'FAILED' && <Failed message={job.errorMessage ?? ''} wish={wish} mayAsk={writes} />}
      {job.status === 'CANCELED' && (
        <Empty title="This export was canceled">
          <p>It has no result.</p>
        </Empty>
      )}
      {job.status === 'COMPLETED' && <Result job={job} wish={wish} />}
      {job.skipped && <LeftOut id={id} list={job.skipped} reasons={job.skippedReasons ?? []} />}
    </>
  )
}

function Facts({ job, wish }: { job: Job; wish: Wish | undefined }) {
  const facts: [string, string][] = []
  if (wish) facts.push(['Asked for', wordsOf(wish)])
  if (job.rowCount !== undefined && job.status === 'COMPLETED') facts.push(['Rows', count(job.rowCount)])
  if (job.completedAt) {
    const seconds = (Date.parse(job.completedAt) - Date.parse(job.createdAt)) / 1000
    facts.push(['Took', seconds < 90 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`])
    const until = Date.parse(job.completedAt) + life
    if (job.status === 'COMPLETED' && until > Date.now())
      facts.push(['Kept until', date(new Date(until).toISOString())])
  }
  if (facts.length === 0) return null
  return (
    <dl class="told">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Progress({ progress }: { progress: number }) {
  return (
    <section class="card stack" aria-label="Progress">
      <div class="head">
        <p role="status">{progress < 0.5 ? 'Choosing the captures' : 'Opening their files'}…</p>
        <p class="number">{Math.floor(progress * 100)} %</p>
      </div>
      <progress max={1} value={progress} aria-label="Progress of the export" />
      <p class="quiet small">It goes on when you leave this page.</p>
    </section>
  )
}
