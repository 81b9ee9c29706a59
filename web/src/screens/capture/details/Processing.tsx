import { useQuery } from '../../../api/query'
import { get } from '../../../api/request'
import { remaining } from '../../../ui/remaining'

/** How often is asked how far the processing is, in ms. */
const often = 2_000

/** Processing shows which part of the work on a file is done, and how long the rest takes, where the server knows it. */
export default function Processing({ id }: { id: string }) {
  const asked = useQuery(
    `processing ${id}`,
    (signal) => get('/captures/{captureId}/processing', { path: { captureId: id }, signal }),
    { every: often, keep: true },
  )
  const p = asked.data?.processing
  if (!p || p.done === null) return null
  return (
    <p class="row">
      <progress max={1} value={p.done} aria-label="Part of the video that was processed" />
      <span>{remaining(p.seconds_left)}</span>
    </p>
  )
}
