import { useState } from 'preact/hooks'
import { useMay } from '../api/session'
import type { Kind } from '../screens/share'
import { Button } from './button'
import { lazy } from './lazy'

const Share = lazy(() => import('../screens/share'), null)

/** ShareButton shares what a page shows. view is asked for when it is pressed: captures are named by their numbers in it. */
export function ShareButton({ kind, captures, view }: { kind: Kind; captures: readonly string[]; view: () => string }) {
  const may = useMay()
  const [shown, setShown] = useState<string | null>(null)
  if (!may('captures:write') || captures.length === 0) return null
  return (
    <>
      <Button onClick={() => setShown(view())}>Share</Button>
      {shown !== null && <Share kind={kind} captures={captures} view={shown} close={() => setShown(null)} />}
    </>
  )
}
