import { useEffect } from 'preact/hooks'
import { lazy } from '../ui/lazy'
import { belong, useRemovals } from './waiting'

const Bar = lazy(() => import('./bar'), null)

/** Removals shows the deletions that wait, whatever screen is shown, and has the browser ask before the page closes. */
export function Removals({ organization }: { organization: string }) {
  useEffect(() => belong(organization), [organization])
  const list = useRemovals()
  const busy = list.some((r) => r.stage !== 'failed')
  useEffect(() => {
    if (!busy) return
    const ask = (e: BeforeUnloadEvent) => e.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [busy])
  return list.length > 0 ? <Bar list={list} /> : null
}
