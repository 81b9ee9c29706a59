import { Field } from './field'

/** Days are the first and the last day of a filter, neither of which can be chosen beyond the other. */
export function Days({
  labels,
  from,
  to,
  onFrom,
  onTo,
}: {
  labels: readonly [string, string]
  from: string
  to: string
  onFrom: (day: string) => void
  onTo: (day: string) => void
}) {
  return (
    <>
      <Field
        label={labels[0]}
        type="date"
        max={to || undefined}
        value={from}
        onChange={(e) => onFrom(e.currentTarget.value)}
      />
      <Field
        label={labels[1]}
        type="date"
        min={from || undefined}
        value={to}
        onChange={(e) => onTo(e.currentTarget.value)}
      />
    </>
  )
}
