import { useId } from 'preact/hooks'
import { Field } from './field'

/** Suggest is a line that is written in, with values that are usual. */
export function Suggest({
  label,
  value,
  options,
  onValue,
  hint,
  fault,
  placeholder = 'Any',
  hideLabel = false,
}: {
  label: string
  value: string
  options: readonly string[]
  onValue: (v: string) => void
  hint?: string
  fault?: string | undefined
  placeholder?: string
  hideLabel?: boolean
}) {
  const id = useId()
  return (
    <>
      <Field
        label={label}
        hideLabel={hideLabel}
        value={value}
        list={id}
        maxLength={128}
        placeholder={placeholder}
        hint={hint}
        fault={fault}
        onInput={(e) => onValue(e.currentTarget.value)}
      />
      <datalist id={id}>
        {options.map((o) => (
          <option key={o} value={o} />
        ))}
      </datalist>
    </>
  )
}
