// Who is in a capture: linking and unlinking athletes. It stays open, so that
// somebody can be replaced.

import { useRef, useState } from 'preact/hooks'
import { nameOf } from '../../../api/athletes'
import { useAction, useQuery } from '../../../api/query'
import { get, send } from '../../../api/request'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { Field } from '../../../ui/field'
import { ProblemBox } from '../../../ui/problem'
import { tell } from '../../../ui/toast'
import type { Linked } from '../linked'

interface Props {
  id: string
  linked: Linked[]
  close: () => void
  changed: () => void
}

export function AthleteDialog({ id, linked, close, changed }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  const found = useQuery(`athletes ${search}`, (signal) => get('/athletes', { query: { q: search, limit: 8 }, signal }), { keep: true })
  // What was pressed is gone after it: the next one is looked for.
  const next = () => {
    changed()
    box.current?.querySelector('input')?.focus()
  }
  const link = useAction(async (athlete: string, called: string) => {
    await send('post', '/captures/{captureId}/athletes', { path: { captureId: id }, body: { athlete_id: athlete } })
    tell(`${called} is linked to the capture.`)
    setSearch('')
    next()
  })
  const unlink = useAction(async (one: Linked) => {
    await send('delete', '/captures/{captureId}/athletes/{athleteId}', { path: { captureId: id, athleteId: one.id } })
    tell(`${one.name ?? 'The athlete'} is no longer linked to the capture.`)
    next()
  })
  const problem = link.problem ?? unlink.problem ?? found.problem
  const others = (found.data?.athletes ?? []).filter((a) => !linked.some((l) => l.id === a.id))
  return (
    <Dialog title="Who is in this capture" onClose={close}>
      <div class="stack" ref={box}>
        {linked.length === 0
          ? <p class="quiet">Nobody yet.</p>
          : <ul class="linked" aria-label="Linked">
              {linked.map((one) => (
                <li key={one.id}>
                  <span dir="auto">{one.name ?? one.id}</span>
                  <Button kind="danger" aria-label={`Unlink ${one.name ?? one.id}`} onClick={() => void unlink.run(one)}>Unlink</Button>
                </li>
              ))}
            </ul>}
        <Field label={linked.length > 0 ? 'Link another athlete' : 'Link an athlete'} type="search" placeholder="Part of a name or e-mail address" value={search} onInput={(e) => setSearch(e.currentTarget.value)} />
        <ul class="choices" aria-label="Athletes">
          {others.map((a) => (
            <li key={a.id}>
              <button type="button" onClick={() => void link.run(a.id, nameOf(a))}><span dir="auto">{nameOf(a)}</span> <small class="quiet" dir="auto">{a.email ?? ''}</small></button>
            </li>
          ))}
        </ul>
        {found.data && others.length === 0 && <p class="quiet" role="status">{found.data.athletes.length === 0 ? 'Nobody is called so.' : 'All of them are linked.'}</p>}
        {problem && <ProblemBox problem={problem} />}
        <footer class="row end"><Button kind="main" onClick={close}>Done</Button></footer>
      </div>
    </Dialog>
  )
}
