import { useEffect, useState } from 'preact/hooks'
import type { Problem } from '../api/problem'
import { Button } from './button'

const titles: Record<number, string> = {
  0: 'No connection',
  403: 'Not allowed with this token',
  404: 'Not found',
  409: 'That does not fit what is there',
  429: 'Too many requests',
  503: 'The server is busy',
}

/** ProblemBox tells what went wrong, and when or how it is tried again. */
export function ProblemBox({
  problem,
  retryAt = null,
  onRetry,
}: {
  problem: Problem
  retryAt?: number | null
  onRetry?: () => void
}) {
  const left = useSecondsTo(retryAt)
  return (
    <div class={`problem${problem.passing ? ' passing' : ''}`} role="alert">
      <div>
        <strong>{titles[problem.status] ?? 'That did not work'}</strong>
        <p dir="auto">{problem.message}</p>
        {problem.requestId && problem.status >= 500 && <p class="quiet">Request {problem.requestId}</p>}
      </div>
      {onRetry && <Button onClick={onRetry}>{left > 0 ? `Try again (in ${left} s by itself)` : 'Try again'}</Button>}
    </div>
  )
}

/** useSecondsTo counts down to a moment. */
function useSecondsTo(moment: number | null): number {
  const [now, tick] = useState(Date.now)
  useEffect(() => {
    if (moment === null) return
    tick(Date.now())
    const timer = setInterval(() => tick(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [moment])
  return moment === null ? 0 : Math.max(0, Math.ceil((moment - now) / 1000))
}
