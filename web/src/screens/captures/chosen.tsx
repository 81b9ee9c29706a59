import { Button, LinkButton } from '../../ui/button'
import { compared, comparedMost, underWay } from '../../ui/comparison'
import { things } from '../../ui/text'
import type { Choice } from './choice'

/** Chosen is what can be done with the rows that are chosen; it is there as soon as one is. */
export function Chosen({ choice }: { choice: Choice }) {
  const ids = [...choice.chosen.keys()]
  if (ids.length === 0) return null
  const before = underWay()?.getAll('capture').length ?? 0
  return (
    <section class="card row chosen" aria-label="Chosen captures">
      <strong role="status">{things(ids.length, 'capture')} chosen</strong>
      <Button kind="quiet" onClick={choice.clear}>
        Choose none
      </Button>
      {ids.length <= comparedMost ? (
        <LinkButton href={compared(ids)}>Compare</LinkButton>
      ) : (
        <span class="quiet small">At most {comparedMost} can be compared</span>
      )}
      {before > 0 && before + ids.length <= comparedMost && (
        <LinkButton href={compared(ids, true)}>Add to the comparison of {before}</LinkButton>
      )}
    </section>
  )
}
