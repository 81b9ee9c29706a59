import { Button } from '../ui/button'
import { things } from '../ui/text'
import { undo, useRemovals } from './waiting'

/** Note says on the page of a thing that it will be deleted, where it will. */
export function Note({ id }: { id: string }) {
  const r = useRemovals().find((one) => one.stage !== 'failed' && one.things.some((t) => t.id === id))
  if (!r) return null
  return (
    <div class="notice row">
      <p>
        {r.things.length === 1
          ? 'This will be deleted.'
          : `This and others, ${things(r.things.length, r.kind)}, will be deleted.`}
      </p>
      {r.stage === 'waiting' && <Button onClick={() => undo(r)}>Keep {r.things.length === 1 ? 'it' : 'them'}</Button>}
    </div>
  )
}
