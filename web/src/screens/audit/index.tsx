import { useQuery } from '../../api/query'
import { get, type Good } from '../../api/request'
import { go, usePlace, withQuery } from '../../route'
import { Chip } from '../../ui/chip'
import { Empty, Loading } from '../../ui/empty'
import { ProblemBox } from '../../ui/problem'
import { Sheet } from '../../ui/sheet'
import { ago, time } from '../../ui/text'
import { askedOf, Filters, filterNames, type Filter, type FilterName } from './filters'
import { act, actor, short } from './words'

type Entry = Good<'/audit'>['entries'][number]

const limit = 50
/** The time between two reads of the newest entries, in ms. */
const later = 15_000

/** Audit is the record of who did what, newest first; the address bar has its filters and from where on it goes. */
export default function Audit() {
  const { query } = usePlace()
  const filter = Object.fromEntries(filterNames.map((n) => [n, query.get(n) ?? ''])) as Filter
  const after = query.get('after') ?? ''
  const place = (more: Partial<Record<FilterName | 'after', string>>) => withQuery('/audit', { ...filter, ...more })
  const asked = { ...askedOf(filter), ...(after ? { after } : {}), limit, order: 'newest' as const }
  const list = useQuery(JSON.stringify(asked), (signal) => get('/audit', { query: asked, signal }), {
    every: after ? 0 : later,
    keep: true,
  })
  const page = list.data
  const filtered = filterNames.some((n) => filter[n])

  return (
    <>
      <h1>Audit</h1>
      <Filters
        filter={filter}
        onChange={(name, value, typing) =>
          go(place({ [name]: value }), { keepScroll: true, ...(typing ? { typing: name } : {}) })
        }
      />
      {list.problem && <ProblemBox problem={list.problem} retryAt={list.retryAt} onRetry={list.refresh} />}
      {!page && !list.problem && <Loading />}
      {page && page.entries.length === 0 && (
        <Empty title={filtered ? 'No entry fits' : after ? 'No older entries' : 'No entries yet'}>
          <p>
            {filtered || after ? (
              <a href="/audit">Show the newest entries</a>
            ) : (
              'Everything that is changed from now on is written down here: who did it, when, and to what.'
            )}
          </p>
        </Empty>
      )}
      {page && page.entries.length > 0 && (
        <div class={`stack${list.old ? ' old' : ''}`} aria-busy={list.old}>
          {filtered && (
            <p class="quiet">
              <a href="/audit">Clear filters</a>
            </p>
          )}
          <Rows entries={page.entries} place={place} />
          <nav class="pager" aria-label="Pages of entries">
            {after && (
              <a class="button" href={place({})}>
                Newest entries
              </a>
            )}
            {page.more && (
              <a class="button" href={place({ after: page.cursor })}>
                Older entries
              </a>
            )}
          </nav>
        </div>
      )}
    </>
  )
}

function Rows({ entries, place }: { entries: Entry[]; place: (more: Partial<Filter>) => string }) {
  return (
    <Sheet
      label="Entries"
      columns={['When', 'Action', ['Actor', 'fold-first'], 'Object', ['Address', 'fold'], ['Request', 'fold']]}
    >
      {entries.map((e) => (
        <tr key={e.id}>
          <td class="fit">
            <time dateTime={e.at} title={ago(e.at)}>
              {time(e.at)}
            </time>
          </td>
          <td class="wide folding">
            <span class="strong">{act(e.action)}</span>
            {e.status >= 400 && (
              <>
                {' '}
                <Chip tone="bad">Refused</Chip>
              </>
            )}
            <div class="folded-first quiet small" dir="auto">
              {actor(e.actor)}
            </div>
            <div class="folded quiet small dots">
              <span>{e.address}</span>
              <span>{e.request_id}</span>
            </div>
          </td>
          <td class="fold-first">
            <a href={place({ actor: e.actor.id })} title={e.actor.id} dir="auto">
              {actor(e.actor)}
            </a>
          </td>
          <td>
            {e.object.id ? (
              <>
                <span class="quiet">{e.object.kind}</span>{' '}
                <a href={place({ object: e.object.id })} title={e.object.id} dir="auto">
                  {short(e.object.id)}
                </a>
              </>
            ) : (
              <span class="quiet">–</span>
            )}
          </td>
          <td class="fit fold">{e.address}</td>
          <td class="fit fold quiet small">{e.request_id}</td>
        </tr>
      ))}
    </Sheet>
  )
}
