import { useEffect } from 'preact/hooks'
import { lazy } from '../ui/lazy'
import { useUnloadQuestion } from '../ui/unload'
import { belong, useRemovals } from './waiting'

const Bar = lazy(() => import('./bar'), null)

/** Removals shows the deletions that wait, whatever screen is shown, and has the browser ask before the page closes. */
export function Removals({ organization }: { organization: string }) {
  useEffect(() => belong(organization), [organization])
  const list = useRemovals()
  useUnloadQuestion(list.some((r) => r.stage !== 'failed'))
  return list.length > 0 ? <Bar list={list} /> : null
}
