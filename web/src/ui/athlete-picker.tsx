import { useEffect, useId, useState } from 'preact/hooks'
import { learnName, nameOf, useNames, type Athlete } from '../api/athletes'
import { useQuery } from '../api/query'
import { get } from '../api/request'

/**
 * AthletePicker finds an athlete by name or e-mail address. It is a field with a
 * list: arrows move, Enter takes, Escape leaves. Enter takes nobody of an older text:
 * it waits for the list that answers what is written. value is an id, "" for nobody.
 */
export function AthletePicker({
  label,
  value,
  onPick,
  hideLabel = false,
  placeholder = 'Anyone: write a name',
}: {
  label: string
  value: string
  onPick: (id: string, called: string) => void
  hideLabel?: boolean
  placeholder?: string
}) {
  const id = useId()
  const [text, setText] = useState<string | null>(null) // null: nobody writes here
  const [q, setQ] = useState('')
  const [at, setAt] = useState(0)
  const [entered, setEntered] = useState(false) // Enter was pressed before the list was there
  const name = useNames([value || null], true).get(value)
  useEffect(() => {
    if (text === null) return
    const timer = setTimeout(() => {
      setQ(text.trim())
      // The list that is there already keeps what an arrow has chosen in it.
      if (text.trim() !== q) setAt(0)
    }, 150)
    return () => clearTimeout(timer)
  }, [text])
  const open = text !== null
  const found = useQuery(
    open ? `athletes?${q}` : null,
    (signal) => get('/athletes', { query: { q, limit: 8 }, signal }),
    { keep: true },
  )
  const list: Athlete[] = open ? (found.data?.athletes ?? []) : []
  const fits = open && q === text.trim() && !found.old && !found.loading && found.data !== undefined

  const pick = (a: Athlete) => {
    learnName(a.id, nameOf(a))
    onPick(a.id, nameOf(a))
    setText(null)
  }
  useEffect(() => {
    if (!entered || !fits) return
    setEntered(false)
    if (list[at]) pick(list[at])
  }, [entered, fits])
  useEffect(() => {
    if (!open) setEntered(false)
  }, [open])
  const key = (e: KeyboardEvent) => {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      e.preventDefault()
      if (!open) setText('')
      else setAt((n) => (n + (e.key === 'ArrowDown' ? 1 : list.length - 1)) % Math.max(1, list.length))
    } else if (e.key === 'Enter' && open) {
      e.preventDefault()
      const a = list[at]
      if (!fits) {
        setQ(text.trim())
        setAt(0)
        setEntered(true)
      } else if (a) pick(a)
    } else if (e.key === 'Escape' && open) {
      e.preventDefault()
      e.stopPropagation()
      setText(null)
    }
  }
  return (
    <div class="field picker">
      <label for={id} class={hideLabel ? 'unseen' : undefined}>
        {label}
      </label>
      <div class="picker-line">
        <input
          id={id}
          type="text"
          role="combobox"
          dir="auto"
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={list[at] ? `${id}-${at}` : undefined}
          value={text ?? (value ? (name ?? value) : '')}
          onInput={(e) => {
            setEntered(false)
            setText(e.currentTarget.value)
          }}
          onKeyDown={key}
          onBlur={() => setText(null)}
        />
        {value && (
          <button
            type="button"
            class="close"
            aria-label={`Clear ${label.toLowerCase()}`}
            onClick={() => onPick('', '')}
          >
            ×
          </button>
        )}
      </div>
      <ul id={`${id}-list`} role="listbox" aria-label="Athletes found" hidden={!open}>
        {list.map((a, i) => (
          <li
            key={a.id}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === at}
            onMouseDown={(e) => {
              e.preventDefault()
              pick(a)
            }}
          >
            <span dir="auto">{nameOf(a)}</span> {a.email && <span class="quiet">{a.email}</span>}
          </li>
        ))}
        {open && !found.loading && list.length === 0 && (
          <li role="option" aria-selected={false} aria-disabled="true" class="quiet">
            {found.problem ? found.problem.message : 'Nobody of this name'}
          </li>
        )}
      </ul>
    </div>
  )
}
