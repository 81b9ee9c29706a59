import type { AllHTMLAttributes, ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface Around {
  label: string
  /** A sentence that helps to fill it in. */
  hint?: string | undefined
  /** What is wrong with it, in the words of the rule. */
  fault?: string | undefined
  /** Only for those who cannot see: its place says what it is. */
  hideLabel?: boolean
}

function frame(id: string, a: Around, control: ComponentChildren) {
  return (
    <div class={`field${a.fault ? ' faulty' : ''}`}>
      <label for={id} class={a.hideLabel ? 'unseen' : undefined}>
        {a.label}
      </label>
      {control}
      {a.hint && (
        <p class="hint" id={`${id}-hint`}>
          {a.hint}
        </p>
      )}
      {a.fault && (
        <p class="fault" id={`${id}-fault`}>
          {a.fault}
        </p>
      )}
    </div>
  )
}

function described(id: string, a: Around) {
  const by = [a.hint && `${id}-hint`, a.fault && `${id}-fault`].filter(Boolean).join(' ')
  return { id, 'aria-invalid': a.fault ? (true as const) : undefined, 'aria-describedby': by || undefined }
}

/** Field is a line that is written in. */
export function Field({
  label,
  hint,
  fault,
  hideLabel,
  ...rest
}: Around & Omit<AllHTMLAttributes<HTMLInputElement>, 'label'>) {
  const id = useId()
  const around: Around = { label, hint, fault, hideLabel: hideLabel ?? false }
  return frame(
    id,
    around,
    <input dir="auto" autocomplete="off" spellcheck={false} {...(rest as object)} {...described(id, around)} />,
  )
}

/** Choice is one of few. */
export function Choice({
  label,
  hint,
  fault,
  hideLabel,
  options,
  ...rest
}: Around & { options: readonly (readonly [value: string, text: string])[] } & Omit<
    AllHTMLAttributes<HTMLSelectElement>,
    'label' | 'options'
  >) {
  const id = useId()
  const around: Around = { label, hint, fault, hideLabel: hideLabel ?? false }
  return frame(
    id,
    around,
    <select {...(rest as object)} {...described(id, around)}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>,
  )
}

/** Check is a yes or a no. */
export function Check({
  label,
  ...rest
}: { label: ComponentChildren } & Omit<AllHTMLAttributes<HTMLInputElement>, 'label'>) {
  return (
    <label class="check">
      <input type="checkbox" {...(rest as object)} />
      <span>{label}</span>
    </label>
  )
}
