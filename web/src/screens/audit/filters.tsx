import { midnight } from '../../ui/day'
import { Field } from '../../ui/field'
import { Suggest } from '../../ui/suggest'
import { useWritten } from '../../ui/written'
import { actions } from './words'

/** The filters of GET /audit. In the address the two ends of the time are days, the last one included. */
export const filterNames = ['from', 'to', 'action', 'actor', 'object'] as const
export type FilterName = (typeof filterNames)[number]
export type Filter = Record<FilterName, string>

/** askedOf is filters as the interface takes them. */
export function askedOf(filter: Filter): Partial<Filter> {
  const asked = { ...filter, from: midnight(filter.from, 0), to: midnight(filter.to, 1) }
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value)) as Partial<Filter>
}

/** Filters are the fields above the list. What is written counts after a moment. */
export function Filters({
  filter,
  onChange,
}: {
  filter: Filter
  onChange: (name: FilterName, value: string, typing?: boolean) => void
}) {
  const [action, writeAction] = useWritten(
    filter.action,
    (v) => onChange('action', v, true),
    (v) => (actions as readonly string[]).includes(v),
  )
  return (
    <form class="card filters" role="search" aria-label="Filters" onSubmit={(e) => e.preventDefault()}>
      <Field
        label="From"
        type="date"
        max={filter.to || undefined}
        value={filter.from}
        onChange={(e) => onChange('from', e.currentTarget.value)}
      />
      <Field
        label="To"
        type="date"
        min={filter.from || undefined}
        value={filter.to}
        onChange={(e) => onChange('to', e.currentTarget.value)}
      />
      <Suggest label="Action" value={action} options={actions} onValue={writeAction} />
      <ID label="Actor" value={filter.actor} onValue={(v) => onChange('actor', v, true)} />
      <ID label="Object" value={filter.object} onValue={(v) => onChange('object', v, true)} />
    </form>
  )
}

function ID({ label, value, onValue }: { label: string; value: string; onValue: (v: string) => void }) {
  const [text, write] = useWritten(value, onValue)
  return (
    <Field
      label={label}
      value={text}
      maxLength={255}
      placeholder="Any id"
      onInput={(e) => write(e.currentTarget.value)}
    />
  )
}
