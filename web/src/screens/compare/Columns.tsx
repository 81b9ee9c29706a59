import { useMemo, useState } from 'preact/hooks'
import { ChannelSearch, hasAll, wordsOf } from '../../ui/channel-search'
import { Check } from '../../ui/field'
import { things } from '../../ui/text'
import { columnsMost, type Comparison } from './address'
import { columnsOf, otherSide } from './offers'
import type { Trial } from './trial'

/** So many columns are listed: the search finds the others. */
const listed = 60

interface Props {
  comparison: Comparison
  trials: readonly Trial[]
  change: (to: Partial<Comparison>) => void
}

/** Columns is what is shown of the captures: chosen from what they have, on one axis. */
export function Columns({ comparison: c, trials, change }: Props) {
  const [search, setSearch] = useState('')
  // What is chosen when the list is made stands first. A tick moves nothing: it would slip away from under the pointer.
  const offers = useMemo(() => {
    const first = (o: { column: string }) => (c.columns.includes(o.column) ? 0 : 1)
    return columnsOf(trials).sort((a, b) => first(a) - first(b))
  }, [trials])
  const words = wordsOf(search)
  const fits = offers.filter((o) => hasAll(`${o.column} ${o.kind} ${o.unit}`, words))
  const full = c.columns.length >= columnsMost
  const toggle = (name: string) =>
    change({ columns: c.columns.includes(name) ? c.columns.filter((n) => n !== name) : [...c.columns, name] })
  const others = c.columns.flatMap((name) => {
    const other = otherSide(name, offers)
    return other && !c.columns.includes(other) ? [other] : []
  })
  const lost = c.columns.filter((name) => !offers.some((o) => o.column === name))
  return (
    <section class="card stack no-print" aria-labelledby="columns-title">
      <div class="head">
        <h2 id="columns-title">Channels</h2>
        <span class="quiet small">{things(offers.length, 'column')}</span>
      </div>
      <ChannelSearch value={search} change={setSearch} />
      {others.length > 0 && !full && (
        <div class="row">
          {others.map((name) => (
            <button key={name} type="button" class="link small" onClick={() => toggle(name)}>
              with {name}
            </button>
          ))}
        </div>
      )}
      {full && <p class="notice small">{columnsMost} columns are chosen. Take one away to see another.</p>}
      <ul class="choices" aria-label="Columns" tabIndex={0}>
        {lost.map((name) => (
          <li key={name}>
            <Check label={`${name}: no capture has it`} checked onChange={() => toggle(name)} />
          </li>
        ))}
        {fits.slice(0, listed).map((o) => (
          <li key={o.column}>
            <Check
              label={
                <>
                  <bdi>{o.column}</bdi>{' '}
                  <span class="quiet small">
                    {o.unit}
                    {o.captures < trials.length && ` · ${o.captures} of ${trials.length} captures`}
                  </span>
                </>
              }
              checked={c.columns.includes(o.column)}
              disabled={full && !c.columns.includes(o.column)}
              onChange={() => toggle(o.column)}
            />
          </li>
        ))}
      </ul>
      {fits.length > listed && <p class="quiet small">and {fits.length - listed} more: search for them</p>}
      {fits.length === 0 && offers.length > 0 && <p class="quiet">No channel is called so.</p>}
    </section>
  )
}
