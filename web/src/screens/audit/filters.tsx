import { midnight } from '../../ui/day'
import { Days } from '../../ui/days'
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
      <Days
        labels={['From', 'To']}
        from={filter.from}
        to={filter.to}
        onFrom={(day) => onChange('from', day)}
        onTo={(day) => onChange('to', day)}
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
