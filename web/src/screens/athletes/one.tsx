import { useEffect, useState } from 'preact/hooks'
import { nameOf, type Athlete as Person } from '../../api/athletes'
import { useQuery } from '../../api/query'
import { get } from '../../api/request'
import { useMay } from '../../api/session'
import { Note } from '../../removal/note'
import { useRemoved } from '../../removal/waiting'
import { go, offsetOf, usePlace, withQuery } from '../../route'
import { Button, LinkButton } from '../../ui/button'
import { Empty, Loading } from '../../ui/empty'
import { Pager } from '../../ui/pager'
import { ProblemBox } from '../../ui/problem'
import { label, things, time } from '../../ui/text'
import { useChoice } from '../captures/choice'
import { Chosen } from '../captures/chosen'
import { included, Rows } from '../captures/rows'
import { Delete } from './delete'
import { Edit } from './edit'
import { fields, lines, shownAs } from './fields'
import { allCaptures, OverTime } from './over-time'
import { Progress } from './progress'
import './athletes.css'

const limit = 50

/** Athlete is one athlete with all captures. */
export default function Athlete({ id }: { id: string }) {
  const may = useMay()
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const asked = useQuery(
    `athlete ${id}`,
    (signal) => get('/athletes/{athleteId}', { path: { athleteId: id }, signal }),
    { every: 30_000 },
  )
  const a = asked.data?.athlete
  if (asked.problem?.status === 404 || asked.problem?.status === 400)
    return (
      <Empty title="There is no such athlete">
        <p>
          It may have been deleted. <a href="/athletes">To the athletes</a>
        </p>
      </Empty>
    )
  if (!a) {
    return asked.problem ? (
      <ProblemBox problem={asked.problem} retryAt={asked.retryAt} onRetry={asked.refresh} />
    ) : (
      <Loading />
    )
  }
  return (
    <>
      <nav aria-label="Where this is">
        <a href="/athletes">Athletes</a>
      </nav>
      <div class="head">
        <h1 dir="auto">{nameOf(a)}</h1>
        {may('athletes:write') && (
          <div class="row">
            <Button onClick={() => setOpen('edit')}>Edit</Button>
            <Button kind="danger" onClick={() => setOpen('delete')}>
              Delete
            </Button>
          </div>
        )}
      </div>
      {asked.problem && <ProblemBox problem={asked.problem} retryAt={asked.retryAt} onRetry={asked.refresh} />}
      <Note id={id} />
      <Facts a={a} />
      {may('captures:read') && <Captures id={id} />}
      {open === 'edit' && (
        <Edit
          athlete={a}
          onClose={() => setOpen(null)}
          onSaved={() => {
            setOpen(null)
            asked.refresh()
          }}
        />
      )}
      {open === 'delete' && (
        <Delete athlete={a} onClose={() => setOpen(null)} onDeleted={() => go('/athletes', { replace: true })} />
      )}
    </>
  )
}

function Facts({ a }: { a: Person }) {
  const facts: [string, string | null][] = [
    ...lines.flatMap((line): [string, string | null][] => [
      ...(fields[line].heading ? [] : [[fields[line].title, shownAs(line, a)] satisfies [string, string | null]]),
      ...(line === 'activity' && a.positions.length > 0
        ? [['Positions', a.positions.map(label).join(', ')] satisfies [string, string | null]]
        : []),
    ]),
    ...Object.entries(a.custom_attributes).map(([name, value]): [string, string] => [name, String(value)]),
    ['Added', time(a.created_at)],
    ['Changed', time(a.updated_at)],
  ]
  return (
    <section class="card" aria-label="Facts">
      <dl class="facts columns">
        {facts
          .filter(([, v]) => v !== null)
          .map(([name, value]) => (
            <div key={name}>
              <dt dir="auto">{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

function Captures({ id }: { id: string }) {
  const may = useMay()
  const { path, query } = usePlace()
  const offset = offsetOf(query)
  const choice = useChoice()
  const asked = { athlete_id: id, limit, offset, include: included(false) }
  const list = useQuery(JSON.stringify(asked), (signal) => get('/captures', { query: asked, signal }), {
    every: 15_000,
    keep: true,
  })
  useRemoved(list.refresh)
  const page = list.data
  useEffect(() => choice.renew(page?.captures ?? []), [page])
  const total = page?.total_count
  const all = useQuery(total ? `over time ${id} ${total}` : null, (signal) => allCaptures(id, signal), { keep: true })
  return (
    <section class="stack" aria-label="Captures of the athlete">
      <div class="head">
        <h2>Captures</h2>
        {all.data && may('athletes:read') && (
          <LinkButton href={withQuery('/report', { ...Object.fromEntries(query), offset: null, athlete: id })}>
            Report of the progress
          </LinkButton>
        )}
        {page && (
          <p class="quiet" role="status">
            {things(page.total_count, 'capture')} · <a href={withQuery('/captures', { athlete_id: id })}>filter them</a>
          </p>
        )}
      </div>
      {list.problem && <ProblemBox problem={list.problem} retryAt={list.retryAt} onRetry={list.refresh} />}
      {page && page.captures.length === 0 && <p class="quiet">None is linked to this athlete.</p>}
      {page && page.captures.length > 0 && (
        <>
          {all.data && <OverTime captures={all.data} total={page.total_count} />}
          {all.data && may('athletes:read') && <Progress athlete={id} captures={all.data} total={page.total_count} />}
          <Rows captures={page.captures} withAthlete={false} choice={choice} />
          <Pager
            total={page.total_count}
            offset={offset}
            limit={limit}
            shown={page.captures.length}
            what="captures"
            href={(to) => withQuery(path, { offset: to || null })}
          />
          <Chosen
            choice={choice}
            total={page.total_count}
            query={{ athlete_id: id, include: asked.include }}
            changed={list.refresh}
          />
        </>
      )}
    </section>
  )
}
