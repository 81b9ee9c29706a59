import { Choice } from '../../ui/field'
import { Derived } from './Derived'
import { bys, overs, shows, type Comparison } from './address'
import { happeningsOf, type Happening } from './offers'
import type { Trial } from './trial'
import { eventText } from './words'

interface Props {
  comparison: Comparison
  trials: readonly Trial[]
  change: (to: Partial<Comparison>) => void
}

/** Axis is how the courses are laid beside each other and put together. */
export function Axis({ comparison: c, trials, change }: Props) {
  const all = happeningsOf(trials)
  const named = (
    first: readonly (readonly [string, string])[],
    of: readonly Happening[],
    now: string,
    repeated = false,
  ) => {
    const options = of.map(
      (h) => [h.name, `${eventText(h.name)} (${repeated ? h.repeated : h.captures} of ${trials.length})`] as const,
    )
    // An event of the address that no capture has stays chosen, and each capture says that it lacks it.
    return [...first, ...(now && !of.some((h) => h.name === now) ? [[now, eventText(now)] as const] : []), ...options]
  }
  const repeated = all.filter((h) => h.repeated > 0)
  const over = (to: Comparison['over']) => {
    const cycle = repeated.some((h) => h.name === c.from) ? c.from : (repeated[0]?.name ?? '')
    if (to === 'cycles') return change({ over: to, from: cycle, to: '' })
    if (to === 'percent') {
      const from = c.from || (all[0]?.name ?? '')
      return change({ over: to, from, to: c.to || (all.find((h) => h.name !== from)?.name ?? from) })
    }
    change({ over: to, from: '', to: '' })
  }
  return (
    <section class="card stack no-print" aria-labelledby="axis-title">
      <h2 id="axis-title">Axis</h2>
      <Choice
        label="Along"
        value={c.over}
        options={overs}
        onChange={(e) => over(e.currentTarget.value as Comparison['over'])}
      />
      {all.length === 0 && <p class="quiet small">No capture has an event.</p>}
      {all.length > 0 && (c.over === 'time' || c.over === 'frames') && (
        <Choice
          label="Zero at"
          value={c.from}
          options={named([['', 'The first frame']], all, c.from)}
          onChange={(e) => change({ from: e.currentTarget.value })}
        />
      )}
      {c.over === 'cycles' && (
        <Choice
          label="Cycles of"
          value={c.from}
          options={named([], repeated, c.from, true)}
          onChange={(e) => change({ from: e.currentTarget.value })}
        />
      )}
      {c.over === 'percent' && (
        <>
          <Choice
            label="From"
            value={c.from}
            options={named([], all, c.from)}
            onChange={(e) => change({ from: e.currentTarget.value })}
          />
          <Choice
            label="To the next"
            value={c.to}
            options={named([], all, c.to)}
            onChange={(e) => change({ to: e.currentTarget.value })}
          />
        </>
      )}
      <Derived how={c.how} change={(how) => change({ how })} />
      <Choice
        label="A mean for"
        value={c.by}
        options={bys}
        onChange={(e) => change({ by: e.currentTarget.value as Comparison['by'] })}
      />
      <Choice
        label="Show"
        value={c.show}
        options={shows}
        onChange={(e) => change({ show: e.currentTarget.value as Comparison['show'] })}
      />
    </section>
  )
}
