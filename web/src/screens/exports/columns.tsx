import { useId, useState } from 'preact/hooks'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { Tags } from './form'

/** Columns asks which of the captures' own columns are wanted. A comma or Enter adds one, and many can be pasted. */
export function Columns({
  chosen,
  known,
  fault,
  onChosen,
}: {
  chosen: readonly string[]
  known: readonly string[]
  fault: string | undefined
  onChosen: (list: string[]) => void
}) {
  const id = useId()
  const [text, setText] = useState('')
  const add = (written: string) => {
    const names = written
      .split(/[,\n]/)
      .map((n) => n.trim())
      .filter(Boolean)
    setText('')
    if (names.length > 0) onChosen([...new Set([...chosen, ...names])])
  }
  return (
    <div class="stack tight">
      <div class="add">
        <Field
          label="Columns"
          list={id}
          value={text}
          maxLength={20_000}
          fault={fault}
          placeholder={chosen.length > 0 ? 'Another one' : 'All of them'}
          hint={
            chosen.length > 0 ? undefined : `Write a name${known[0] ? `, such as ${known[0]}` : ''}, and press Enter.`
          }
          onInput={(e) => {
            const v = e.currentTarget.value
            // What was picked out of the list is whole; what is written may go on.
            if (/[,\n]/.test(v) || (e as InputEvent).inputType === 'insertReplacementText') add(v)
            else setText(v)
          }}
          onKeyDown={(e: KeyboardEvent) => {
            if (e.key === 'Enter' && text.trim()) {
              e.preventDefault()
              add(text)
            }
          }}
        />
        {text.trim() && <Button onClick={() => add(text)}>Add</Button>}
      </div>
      <datalist id={id}>
        {known
          .filter((k) => !chosen.includes(k))
          .slice(0, 500)
          .map((k) => (
            <option key={k} value={k} />
          ))}
      </datalist>
      {chosen.length > 0 && (
        <Tags
          label="Columns chosen"
          tags={chosen.map((c) => [c, c])}
          onRemove={(c) => onChosen(chosen.filter((x) => x !== c))}
        />
      )}
    </div>
  )
}
