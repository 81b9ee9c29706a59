import { useEffect } from 'preact/hooks'
import { nameOf } from '../../api/athletes'
import { useQuery } from '../../api/query'
import { get, visiting } from '../../api/request'
import { Loading } from '../../ui/empty'
import { ProblemBox } from '../../ui/problem'
import { allCaptures } from '../athletes/over-time'
import { Progress } from '../athletes/progress'
import type { Course } from '../share'

interface Props {
  id: string
  /** What a visitor hears of who it is; null for nothing. */
  name: string | null
  onShown: (course: Course | null) => void
}

/** OfAthlete is the progress of an athlete. */
export default function OfAthlete({ id, name, onShown }: Props) {
  if (!visiting()) return <Own id={id} onShown={onShown} />
  return (
    <>
      {name && (
        <p dir="auto">
          <strong>{name}</strong>
        </p>
      )}
      <Progress athlete={id} captures={[]} total={0} />
    </>
  )
}

/** Own is that of an athlete of the organization. */
function Own({ id, onShown }: Omit<Props, 'name'>) {
  const who = useQuery(`athlete ${id}`, (signal) => get('/athletes/{athleteId}', { path: { athleteId: id }, signal }))
  const captures = useQuery(`report of ${id}`, (signal) => allCaptures(id, signal))
  const problem = who.problem ?? captures.problem
  useEffect(() => {
    if (captures.data) performance.mark('reported')
  }, [captures.data])
  if (problem) return <ProblemBox problem={problem} />
  if (!who.data || !captures.data) return <Loading what="Reading the captures of the athlete" />
  return (
    <>
      <p dir="auto">
        <strong>{nameOf(who.data.athlete)}</strong>
      </p>
      <Progress athlete={id} captures={captures.data} total={captures.data.length} onShown={onShown} />
    </>
  )
}
