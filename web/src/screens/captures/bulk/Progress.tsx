import { things } from '../../../ui/text'
import { countOf, type Run } from './run'

/** So many captures are named for each reason. */
const named = 5

/** Progress says how far it is, and by reason what failed. */
export function Progress({ run, did }: { run: Run; did: string }) {
  const stopped = run.ended && countOf(run) < run.all
  return (
    <div class="stack">
      <progress max={run.all} value={countOf(run)} aria-label="How many are done" />
      <p role="status">
        {run.ended
          ? `${things(run.done.length, 'capture')} ${did}${stopped ? `, ${run.all - countOf(run)} left as they were` : ''}`
          : `${countOf(run)} of ${run.all}`}
      </p>
      {[...run.failed].map(([why, captures]) => (
        <p key={why} class="notice small" dir="auto">
          {things(captures.length, 'capture')} failed: {why} (
          {captures
            .slice(0, named)
            .map((c) => c.file_name ?? c.session_id)
            .join(', ')}
          {captures.length > named && ', …'})
        </p>
      ))}
    </div>
  )
}
