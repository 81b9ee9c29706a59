import { activities, movementsOf } from '../../labels'
import { AthletePicker } from '../../ui/athlete-picker'
import { midnight } from '../../ui/day'
import { Days } from '../../ui/days'
import { Choice, Field } from '../../ui/field'
import { Suggest } from '../../ui/suggest'
import { useWritten } from '../../ui/written'

/** The filters of GET /captures. In the address the two ends of the time are days, the last one included. */
export const filterNames = [
  'q',
  'athlete_id',
  'activity',
  'movement',
  'status',
  'source',
  'captured_from',
  'captured_to',
] as const
export type FilterName = (typeof filterNames)[number]

/** askedOf is filters as the interface takes them: the end of a time is the moment that is not in it any more. */
export function askedOf(filter: Record<FilterName, string>): Record<FilterName, string> {
  return {
    ...filter,
    captured_from: midnight(filter.captured_from, 0),
    captured_to: midnight(filter.captured_to, 1),
  }
}

const statuses = [
  ['', 'Any'],
  ['completed', 'Completed'],
  ['processing', 'Processing'],
  ['awaiting_upload', 'Awaiting upload'],
  ['error', 'Error'],
] as const
const sources = [
  ['', 'Any'],
  ['api', 'Sent to the interface'],
] as const

/** Filters are the fields above the list. What is written counts after a moment. */
export function Filters({
  filter,
  onChange,
  mayAthletes,
}: {
  filter: Record<FilterName, string>
  onChange: (name: FilterName, value: string, typing?: boolean) => void
  mayAthletes: boolean
}) {
  return (
    <form class="card filters" role="search" aria-label="Filters" onSubmit={(e) => e.preventDefault()}>
      <Search value={filter.q} mayAthletes={mayAthletes} onValue={(v) => onChange('q', v, true)} />
      {mayAthletes && (
        <AthletePicker label="Athlete" value={filter.athlete_id} onPick={(id) => onChange('athlete_id', id)} />
      )}
      <Written
        label="Activity"
        value={filter.activity}
        options={activities}
        onValue={(v) => onChange('activity', v, true)}
      />
      <Written
        label="Movement"
        value={filter.movement}
        options={movementsOf(filter.activity)}
        onValue={(v) => onChange('movement', v, true)}
      />
      <Days
        labels={['Recorded from', 'Recorded to']}
        from={filter.captured_from}
        to={filter.captured_to}
        onFrom={(day) => onChange('captured_from', day)}
        onTo={(day) => onChange('captured_to', day)}
      />
      <Choice
        label="Status"
        value={filter.status}
        options={statuses}
        onChange={(e) => onChange('status', e.currentTarget.value)}
      />
      <Choice
        label="Source"
        value={filter.source}
        options={sources}
        onChange={(e) => onChange('source', e.currentTarget.value)}
      />
    </form>
  )
}

function Search({
  value,
  mayAthletes,
  onValue,
}: {
  value: string
  mayAthletes: boolean
  onValue: (v: string) => void
}) {
  const [text, write] = useWritten(value, onValue)
  return (
    <Field
      label="Search"
      type="search"
      value={text}
      maxLength={128}
      placeholder={mayAthletes ? 'Part of a file name, label or name' : 'Part of a file name or label'}
      onInput={(e) => write(e.currentTarget.value)}
    />
  )
}

function Written({
  label,
  value,
  options,
  onValue,
}: {
  label: string
  value: string
  options: readonly string[]
  onValue: (v: string) => void
}) {
  const [text, write] = useWritten(value, onValue, (v) => options.includes(v))
  return <Suggest label={label} value={text} options={options} onValue={write} />
}
