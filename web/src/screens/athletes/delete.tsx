import { useState } from 'preact/hooks'
import { nameOf, type Athlete } from '../../api/athletes'
import { useQuery } from '../../api/query'
import { get } from '../../api/request'
import { useMay } from '../../api/session'
import { grace, remove } from '../../removal/waiting'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field } from '../../ui/field'
import { things } from '../../ui/text'

/** Delete has an athlete erased when the time to undo it is over, after the name was typed. It says what goes along. */
export function Delete({
  athlete,
  onClose,
  onDeleted,
}: {
  athlete: Athlete
  onClose: () => void
  onDeleted: () => void
}) {
  const name = nameOf(athlete)
  const may = useMay()
  const [typed, setTyped] = useState('')
  const captures = useQuery(may('captures:read') ? `captures of ${athlete.id}` : null, (signal) =>
    get('/captures', { query: { athlete_id: athlete.id, limit: 1 }, signal }),
  )
  const erase = () => {
    remove('athlete', [{ id: athlete.id, name }])
    onDeleted()
  }
  const same = typed.normalize().trim() === name.normalize().trim()
  return (
    <Dialog title="Delete the athlete" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(e) => {
          e.preventDefault()
          if (same) erase()
        }}
      >
        <p>This erases:</p>
        <ul class="erased">
          <li>
            the record of <strong dir="auto">{name}</strong> with all its fields
          </li>
          <li>
            {captures.data
              ? `the link to ${things(captures.data.total_count, 'capture')}, and every one of them that is linked to nobody else, with its files and its motion`
              : 'every capture that is linked to nobody else, with its files and its motion'}
          </li>
          <li>their rows in all exports</li>
        </ul>
        <p>
          Captures that are shared with others stay and lose the link. You can undo it for {grace / 1000} seconds; after
          that nothing of it can be brought back.
        </p>
        <Field
          label={`Type the name to delete: ${name}`}
          value={typed}
          onInput={(e) => setTyped(e.currentTarget.value)}
        />
        <footer class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" disabled={!same}>
            Delete
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
