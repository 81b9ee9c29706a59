import { useEffect, useState } from 'preact/hooks'
import { useQuery } from '../../api/query'
import { useMay, useSession } from '../../api/session'
import { useRemoved } from '../../removal/waiting'
import { go, offsetOf, usePlace, withQuery } from '../../route'
import { Button, LinkButton } from '../../ui/button'
import { underWay } from '../../ui/comparison'
import { Empty, Loading } from '../../ui/empty'
import { Pager } from '../../ui/pager'
import { ProblemBox } from '../../ui/problem'
import { count, things } from '../../ui/text'
import { arrived, askUpload } from '../../upload'
import { useChoice } from './choice'
import { Chosen } from './chosen'
import { ColumnsMenu, columnsOf } from './columns'
import { askedOf, Filters, filterNames, type FilterName } from './filters'
import { byName, sortOf, sorts, type Sort } from './orders'
import { included, Rows } from './rows'
import { SavedFilters } from './saved'
import { listed, sortedMost } from './sort'
import './captures.css'

const sizes = [25, 50, 100, 200] as const
/** The time between two reads of the list, in ms: short while a file is read, longer while files are awaited. */
const soon = 2_000
const waiting = 5_000
const later = 15_000
/** How long after uploads have changed the list it is looked at, in ms: many come together. */
const gather = 500

/** Captures is the list of all captures; the address bar has its filters and its page. */
export default function Captures() {
  const { query } = usePlace()
  const may = useMay()

  const limit = sizes.find((s) => String(s) === query.get('limit')) ?? 50
  const offset = offsetOf(query)
  const filter = Object.fromEntries(filterNames.map((n) => [n, query.get(n) ?? ''])) as Record<FilterName, string>
  const sort = sortOf(query)
  const shown = columnsOf(query)
  const form = { limit: limit === 50 ? null : limit, columns: query.get('columns') }
  const place = (more: Record<string, string | number | null>) =>
    withQuery('/captures', { ...filter, sort, ...form, offset: offset || null, ...more })
  const sortedBy = (to: Sort) => place({ sort: to, offset: null })

  const [every, setEvery] = useState(later)
  const asked = { ...askedOf(filter), include: included(may('athletes:read')) }
  const list = useQuery(
    JSON.stringify([asked, sort, limit, offset]),
    (signal) => listed(asked, sort, limit, offset, signal),
    { every: byName(sort) ? later : every, keep: true },
  )
  useRemoved(list.refresh)
  const page = list.data
  const choice = useChoice()
  useEffect(() => choice.renew(page?.captures ?? []), [page])
  useEffect(() => {
    const is = (status: string) => page?.captures.some((c) => c.status === status) ?? false
    setEvery(is('processing') ? soon : is('awaiting_upload') ? waiting : later)
  }, [page])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        list.refresh()
      }, gather)
    }
    addEventListener(arrived, look)
    return () => {
      removeEventListener(arrived, look)
      clearTimeout(timer)
    }
  }, [])
  const compared = underWay()?.getAll('capture').length ?? 0
  const filtered = filterNames.some((n) => filter[n])
  const tooMany = page !== undefined && page.total_count > sortedMost

  return (
    <>
      <div class="head">
        <h1>Captures</h1>
        <div class="row">
          {compared > 0 && (
            <LinkButton href={`/compare?${underWay()}`}>Comparison of {things(compared, 'capture')}</LinkButton>
          )}
          {may('captures:write') && (
            <Button kind="main" onClick={() => askUpload()}>
              Upload
            </Button>
          )}
        </div>
      </div>
      <Filters
        filter={filter}
        onChange={(name, value, typing) =>
          go(place({ [name]: value, offset: null }), { keepScroll: true, ...(typing ? { typing: name } : {}) })
        }
        mayAthletes={may('athletes:read')}
      />
      <SavedFilters
        organization={useSession().organization.id}
        current={filtered ? (withQuery('', { ...filter, sort }).split('?')[1] ?? '') : ''}
      />
      {list.problem && <ProblemBox problem={list.problem} retryAt={list.retryAt} onRetry={list.refresh} />}
      {!page && !list.problem && <Loading />}
      {page &&
        (page.total_count === 0 ? (
          filtered ? (
            <Empty title="No capture fits">
              <p>
                Nothing has all of these filters. <a href="/captures">Show all captures</a>
              </p>
            </Empty>
          ) : (
            <Empty title="No captures yet">
              {may('captures:write') ? (
                <p>
                  Drop motion files or videos here, or{' '}
                  <button type="button" class="link" onClick={() => askUpload()}>
                    choose some
                  </button>
                  . C3D, TRC, MOT, STO, BVH, CSV, MOV and MP4 are read.
                </p>
              ) : (
                <p>This token may look at captures, not add some.</p>
              )}
            </Empty>
          )
        ) : (
          <div class={`stack${list.old ? ' old' : ''}`} aria-busy={list.old}>
            <div class="head">
              <p class="quiet">
                <span role="status">
                  {things(page.total_count, 'capture')}
                  {filtered ? ' with these filters' : ''}
                </span>
                {filtered && (
                  <>
                    {' '}
                    · <a href={withQuery('/captures', { sort, ...form })}>Clear filters</a>
                  </>
                )}
              </p>
              <div class="row">
                <label class="row quiet">
                  Sort by
                  <select
                    value={sort}
                    onChange={(e) => go(sortedBy(e.currentTarget.value as Sort), { keepScroll: true })}
                  >
                    {sorts.map(([value, name]) => (
                      <option key={value} value={value} disabled={tooMany && byName(value) && value !== sort}>
                        {name}
                      </option>
                    ))}
                  </select>
                </label>
                <label class="row quiet">
                  Rows on a page
                  <select
                    value={String(limit)}
                    onChange={(e) => go(place({ limit: e.currentTarget.value, offset: null }), { keepScroll: true })}
                  >
                    {sizes.map((s) => (
                      <option key={s} value={String(s)}>
                        {s}
                      </option>
                    ))}
                  </select>
                </label>
                <ColumnsMenu shown={shown} onColumns={(columns) => go(place({ columns }), { keepScroll: true })} />
              </div>
            </div>
            {page.unsorted && (
              <p class="notice">
                Newest first: a list is sorted by a name up to {count(sortedMost)} captures, and this one has{' '}
                {count(page.total_count)}. Filter it to sort it.
              </p>
            )}
            {page.captures.length > 0 ? (
              <Rows
                captures={page.captures}
                choice={choice}
                shown={shown}
                order={{
                  sort: page.unsorted ? '' : sort,
                  href: (to) => (tooMany && byName(to) ? null : sortedBy(to)),
                }}
              />
            ) : (
              <Empty title="Past the end">
                <p>
                  There are only {things(page.total_count, 'capture')}.{' '}
                  <a href={place({ offset: null })}>To the first page</a>
                </p>
              </Empty>
            )}
            <Pager
              total={page.total_count}
              offset={offset}
              limit={limit}
              shown={page.captures.length}
              more={(page.next_offset ?? null) !== null}
              what="captures"
              href={(to) => place({ offset: to || null })}
            />
            <Chosen
              choice={choice}
              total={page.total_count}
              query={{ ...askedOf(filter), include: asked.include }}
              changed={list.refresh}
            />
          </div>
        ))}
    </>
  )
}
