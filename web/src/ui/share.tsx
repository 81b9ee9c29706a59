import { useState } from 'preact/hooks'
import { useMay } from '../api/session'
import type { Course, Kind } from '../screens/share'
import { Button } from './button'
import { lazy } from './lazy'

const Share = lazy(() => import('../screens/share'), null)

interface Props {
  kind: Kind
  captures: readonly string[]
  /** In the place of captures, the metric of an athlete over time; null for none. */
  course?: Course | null
  /** It is asked for when the button is pressed: captures and athletes are named by their numbers in it. */
  view: () => string
}

/** ShareButton shares what a page shows. */
export function ShareButton({ kind, captures, course = null, view }: Props) {
  const may = useMay()
  const [shown, setShown] = useState<string | null>(null)
  if (!may('captures:write') || (course ? !may('athletes:read') : captures.length === 0)) return null
  return (
    <>
      <Button onClick={() => setShown(view())}>Share</Button>
      {shown !== null && (
        <Share kind={kind} captures={captures} course={course} view={shown} close={() => setShown(null)} />
      )}
    </>
  )
}
