// Who is in a capture: linking and unlinking athletes.

import { useState } from 'preact/hooks'
import { nameOf } from '../../../api/athletes'
import { useAction, useQuery } from '../../../api/query'
import { get, send } from '../../../api/request'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { Field } from '../../../ui/field'
import { ProblemBox } from '../../../ui/problem'
import { tell } from '../../../ui/toast'

interface Props {
  id: string
  linked: string | null // the first one that is linked
  name: string | null
  close: () => void
  done: () => void
}

export function AthleteDialog({ id, linked, name, close, done }: Props) {
  const [search, setSearch] = useState('')
  const found = useQuery(`athletes ${search}`, (signal) => get('/athletes', { query: { q: search, limit: 8 }, signal }), { keep: true })
  const link = useAction(async (athlete: string, called: string) => {
    await send('post', '/captures/{captureId}/athletes', { path: { captureId: id }, body: { athlete_id: athlete } })
    tell(`${called} is linked to the capture.`)
    done()
  })
  const unlink = useAction(async () => {
    await send('delete', '/captures/{captureId}/athletes/{athleteId}', { path: { captureId: id, athleteId: linked ?? '' } })
    tell(`${name ?? 'The athlete'} is no longer linked to the capture.`)
    done()
  })
  const problem = link.problem ?? unlink.problem ?? found.problem
  return (
    <Dialog title="Who is in this capture" onClose={close}>
      <div class="stack">
        {linked && (
          <div class="head">
            <span dir="auto">{name ?? linked}</span>
            <Button kind="danger" busy={unlink.running} onClick={() => void unlink.run()}>Unlink</Button>
          </div>
        )}
        <Field label={linked ? 'Link another athlete' : 'Link an athlete'} type="search" placeholder="Part of a name or e-mail address" value={search} onInput={(e) => setSearch(e.currentTarget.value)} />
        <ul class="choices" aria-label="Athletes">
          {(found.data?.athletes ?? []).filter((a) => a.id !== linked).map((a) => (
            <li key={a.id}>
              <button type="button" onClick={() => void link.run(a.id, nameOf(a))}><span dir="auto">{nameOf(a)}</span> <small class="quiet" dir="auto">{a.email ?? ''}</small></button>
            </li>
          ))}
        </ul>
        {found.data && found.data.athletes.length === 0 && <p class="quiet" role="status">Nobody is called so.</p>}
        {problem && <ProblemBox problem={problem} />}
      </div>
    </Dialog>
  )
}
