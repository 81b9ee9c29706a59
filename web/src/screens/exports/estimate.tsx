import { useEffect, useState } from 'preact/hooks'
import { useQuery, type Query } from '../../api/query'
import { send, type Good } from '../../api/request'
import { Button } from '../../ui/button'
import { count } from '../../ui/text'
import { bodyOf, faultIn, type Wish } from './wish'
import './exports.css'

type Estimate = Good<'/data/export/estimate', 'post'>

/** How long it is waited for more to be written, in ms. */
const pause = 300

/** useEstimate asks how much a wish would be, of some captures where these are named, a moment after it has changed. */
export function useEstimate(w: Wish, captures?: string[]): Query<Estimate> {
  const body = faultIn(w) ? null : JSON.stringify(bodyOf(w, captures))
  const [asked, ask] = useState(body)
  useEffect(() => {
    const timer = setTimeout(() => ask(body), pause)
    return () => clearTimeout(timer)
  }, [body])
  const q = useQuery(
    asked,
    (signal) =>
      send('post', '/data/export/estimate', { body: JSON.parse(asked!) as ReturnType<typeof bodyOf>, signal }),
    { keep: true },
  )
  return { ...q, loading: q.loading || asked !== body }
}

/** EstimateLine says how much it would be. */
export function EstimateLine({
  wish,
  estimate: { data, problem, loading, refresh },
}: {
  wish: Wish
  estimate: Query<Estimate>
}) {
  if (problem && problem.status !== 400) {
    return (
      <div class="estimate" role="status">
        <p>
          How much it would be cannot be told just now. <span dir="auto">{problem.message}</span>
        </p>
        <Button onClick={refresh}>Try again</Button>
      </div>
    )
  }
  if (problem || faultIn(wish) || !data)
    return (
      <div class="estimate" role="status">
        <p class="quiet">
          {problem || faultIn(wish) ? 'How much it would be is told once the fields are right.' : 'Counting…'}
        </p>
      </div>
    )
  return (
    <div class={`estimate${loading ? ' old' : ''}`} role="status" aria-busy={loading}>
      <dl>
        <div>
          <dt>{data.captures === 1 ? 'Capture' : 'Captures'}</dt>
          <dd>
            {data.exact ? '' : '≈ '}
            {count(data.exact ? data.captures : rounded(data.captures))}
          </dd>
        </div>
        <div>
          <dt>{data.rows === 1 ? 'Row' : 'Rows'}</dt>
          <dd>
            {data.exact ? '' : '≈ '}
            {count(data.exact ? data.rows : rounded(data.rows))}
          </dd>
        </div>
      </dl>
      {data.captures === 0 && <p class="quiet">Nothing fits: the export would have no rows.</p>}
      {!data.exact && <p class="quiet">There is so much that only a part was looked at.</p>}
    </div>
  )
}

/** rounded is a number to three digits: more of an extrapolated one would be a pretence. */
function rounded(n: number): number {
  return Number(n.toPrecision(3))
}
