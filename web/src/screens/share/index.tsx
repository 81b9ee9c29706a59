// Links for people without an account: they are made, listed and taken back here.

import { useState } from 'preact/hooks'
import { useAction, useQuery } from '../../api/query'
import { get, send, type Good, type Sent } from '../../api/request'
import { useMay } from '../../api/session'
import { Button } from '../../ui/button'
import { Copied } from '../../ui/copied'
import { Dialog } from '../../ui/dialog'
import { Check, Choice, Field } from '../../ui/field'
import { ProblemBox } from '../../ui/problem'
import { things, time } from '../../ui/text'

export type Kind = Good<'/shares', 'post'>['kind']
/** Course is a metric of an athlete's captures of a movement. */
export type Course = NonNullable<Sent<'/shares', 'post'>['progress']>

interface Props {
  kind: Kind
  captures: readonly string[]
  course: Course | null
  /** The query of the page, in which captures and athletes are named by their numbers from 1. */
  view: string
  close: () => void
}

const lives = [
  ['1', 'Tomorrow'],
  ['7', 'In a week'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const

/** Share makes a link to what is seen. */
export default function Share({ kind, captures, course, view, close }: Props) {
  const may = useMay()
  const [name, setName] = useState('')
  const [life, setLife] = useState('30')
  const [names, setNames] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const list = useQuery('shares', (signal) => get('/shares', { signal }))
  const create = useAction(async () => {
    const body: Sent<'/shares', 'post'> = {
      kind,
      ...(course ? { progress: course } : { captures: [...captures] }),
      view,
      names,
      expires_at: new Date(Date.now() + Number(life) * 86_400_000).toISOString(),
      ...(name.trim() ? { name: name.trim() } : {}),
    }
    const { secret } = await send('post', '/shares', { body })
    setMade(`${location.origin}/shared#${secret}`)
    list.refresh()
  })
  const take = useAction(async (shareId: string) => {
    await send('delete', '/shares/{shareId}', { path: { shareId } })
    list.refresh()
  })
  const there = (list.data?.shares ?? []).filter((s) =>
    course ? s.progress?.athlete_id === course.athlete_id : s.captures.some((c) => captures.includes(c)),
  )
  const problem = create.problem ?? take.problem ?? list.problem
  return (
    <Dialog title="Share by a link" onClose={close}>
      {problem && <ProblemBox problem={problem} />}
      {made === null ? (
        <form
          class="stack"
          onSubmit={(e) => {
            e.preventDefault()
            void create.run()
          }}
        >
          <p class="quiet small">
            {course
              ? 'Whoever has the link sees this metric of the captures that the athlete has of this movement, those to come too, '
              : `Whoever has the link sees ${things(captures.length, 'capture')} as this page shows it now, `}
            without an account and without being able to change anything.
          </p>
          <Field
            label="For whom"
            hint="For you and your colleagues: it is not shown to those who have the link."
            maxLength={128}
            value={name}
            onInput={(e) => setName(e.currentTarget.value)}
          />
          <Choice label="Ends" value={life} options={lives} onChange={(e) => setLife(e.currentTarget.value)} />
          {may('athletes:read') && (
            <Check
              label="Show the names of athletes, files and subjects"
              checked={names}
              onChange={(e) => setNames(e.currentTarget.checked)}
            />
          )}
          <footer class="row end">
            <Button onClick={close}>Cancel</Button>
            <Button kind="main" type="submit" busy={create.running}>
              Make a link
            </Button>
          </footer>
        </form>
      ) : (
        <div class="stack">
          <Copied label="The link, shown this once" text={made} />
          <footer class="row end">
            <Button kind="main" onClick={close}>
              Done
            </Button>
          </footer>
        </div>
      )}
      {there.length > 0 && (
        <section class="stack" aria-label="Links that there are">
          <h3>
            Links to{' '}
            {course ? 'the progress of this athlete' : captures.length === 1 ? 'this capture' : 'these captures'}
          </h3>
          <ul class="shares">
            {there.map((s) => (
              <li key={s.id} class="head">
                <span>
                  <strong dir="auto">{s.name || 'A link'}</strong>
                  <span class="quiet small">
                    {' '}
                    {new Date(s.expires_at) < new Date() ? 'ended' : 'ends'} {time(s.expires_at)} · opened{' '}
                    {s.uses === 1 ? 'once' : `${s.uses} times`}
                    {s.names && ' · with names'}
                  </span>
                </span>
                <Button busy={take.running} onClick={() => void take.run(s.id)}>
                  Take back<span class="unseen"> {s.name}</span>
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  )
}
