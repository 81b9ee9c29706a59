import { useState } from 'preact/hooks'
import { nameOf, type Athlete } from '../../api/athletes'
import { useQuery } from '../../api/query'
import { get } from '../../api/request'
import { useMay } from '../../api/session'
import { useRemovals, useRemoved } from '../../removal/waiting'
import { go, offsetOf, usePlace, withQuery } from '../../route'
import { Button } from '../../ui/button'
import { Chip } from '../../ui/chip'
import { Empty, Loading } from '../../ui/empty'
import { Choice, Field } from '../../ui/field'
import { Pager } from '../../ui/pager'
import { ProblemBox } from '../../ui/problem'
import { Sheet } from '../../ui/sheet'
import { date, label, things } from '../../ui/text'
import { useWritten } from '../../ui/written'
import { Edit } from './edit'
import './athletes.css'

const limit = 50
const orders = [
  ['', 'Last name'],
  ['first_name', 'First name'],
  ['date_of_birth', 'Date of birth'],
  ['created_at', 'Added'],
] as const

/** Athletes is the list of athletes; the address bar has the search and the page. */
export default function Athletes() {
  const { query } = usePlace()
  const may = useMay()
  const [adding, setAdding] = useState(false)
  const q = query.get('q') ?? ''
  const order = orders.find(([o]) => o === query.get('sorted_by'))?.[0] ?? ''
  const offset = offsetOf(query)
  const place = (more: Record<string, string | number | null>) =>
    withQuery('/athletes', { q, sorted_by: order, offset: offset || null, ...more })

  const asked = { q, sorted_by: order, limit, offset }
  const list = useQuery(JSON.stringify(asked), (signal) => get('/athletes', { query: asked, signal }), {
    every: 30_000,
    keep: true,
  })
  useRemoved(list.refresh)
  const page = list.data
  return (
    <>
      <div class="head">
        <h1>Athletes</h1>
        {may('athletes:write') && (
          <Button kind="main" onClick={() => setAdding(true)}>
            Add an athlete
          </Button>
        )}
      </div>
      <form class="card search" role="search" aria-label="Search" onSubmit={(e) => e.preventDefault()}>
        <Search value={q} onValue={(v) => go(place({ q: v, offset: null }), { typing: 'q', keepScroll: true })} />
        <Choice
          label="Order"
          value={order}
          options={orders}
          onChange={(e) => go(place({ sorted_by: e.currentTarget.value, offset: null }), { keepScroll: true })}
        />
      </form>
      {list.problem && <ProblemBox problem={list.problem} retryAt={list.retryAt} onRetry={list.refresh} />}
      {!page && !list.problem && <Loading />}
      {page &&
        (page.total_count === 0 ? (
          q ? (
            <Empty title="Nobody of this name">
              <p>
                No name and no e-mail address has “<bdi>{q}</bdi>” in it. <a href="/athletes">Show all athletes</a>
              </p>
            </Empty>
          ) : (
            <Empty title="No athletes yet">
              {may('athletes:write') ? (
                <p>Add the first one, then link captures to them.</p>
              ) : (
                <p>This token may look at athletes, not add some.</p>
              )}
            </Empty>
          )
        ) : (
          <div class="stack">
            <p class="quiet" role="status">
              {things(page.total_count, 'athlete')}
            </p>
            <Rows athletes={page.athletes} />
            <Pager
              total={page.total_count}
              offset={offset}
              limit={limit}
              shown={page.athletes.length}
              what="athletes"
              href={(to) => place({ offset: to || null })}
            />
          </div>
        ))}
      {adding && <Edit athlete={null} onClose={() => setAdding(false)} onSaved={(a) => go(`/athletes/${a.id}`)} />}
    </>
  )
}

function Search({ value, onValue }: { value: string; onValue: (v: string) => void }) {
  const [text, write] = useWritten(value, onValue)
  return (
    <Field
      label="Name or e-mail address"
      type="search"
      value={text}
      maxLength={128}
      placeholder="Part of a name"
      onInput={(e) => write(e.currentTarget.value)}
    />
  )
}

function Rows({ athletes }: { athletes: Athlete[] }) {
  const removals = useRemovals().filter((r) => r.stage !== 'failed')
  const leaving = (id: string) => removals.some((r) => r.things.some((t) => t.id === id))
  return (
    <Sheet label="Athletes" columns={['Name', ['E-mail', 'fold-first'], ['Born', 'fold'], 'Sport', ['Level', 'fold']]}>
      {athletes.map((a) => (
        <tr key={a.id}>
          <td class="wide folding">
            <a class="strong" href={`/athletes/${a.id}`} dir="auto">
              {nameOf(a)}
            </a>
            {leaving(a.id) && (
              <>
                {' '}
                <Chip tone="bad">Will be deleted</Chip>
              </>
            )}
            {a.email && <div class="folded-first quiet small">{a.email}</div>}
            <div class="folded quiet small dots">
              {a.date_of_birth && <span>born {date(a.date_of_birth)}</span>}
              {a.competition_level && <span>{label(a.competition_level)}</span>}
            </div>
          </td>
          <td class="fold-first">{a.email ?? <span class="quiet">–</span>}</td>
          <td class="fit fold">{a.date_of_birth ? date(a.date_of_birth) : <span class="quiet">–</span>}</td>
          <td>{a.activity ? label(a.activity) : <span class="quiet">–</span>}</td>
          <td class="fold">{a.competition_level ? label(a.competition_level) : <span class="quiet">–</span>}</td>
        </tr>
      ))}
    </Sheet>
  )
}
