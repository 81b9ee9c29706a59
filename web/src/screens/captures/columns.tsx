import { useState } from 'preact/hooks'
import { Check } from '../../ui/field'

/** The columns that a list can have behind the movement, in their order. */
const columns = [
  ['athlete', 'Athlete'],
  ['file', 'File'],
  ['recorded', 'Recorded'],
  ['rate', 'Frames a second'],
  ['warnings', 'Warnings'],
  ['session', 'Session id'],
  ['status', 'Status'],
] as const
export type Column = (typeof columns)[number][0]
export type Columns = ReadonlySet<Column>

/** What a list has of which nobody has chosen anything. */
export const usual: Columns = new Set(['athlete', 'recorded', 'rate', 'status'])

const place = 'kinebase:columns'

/** nameOf is what stands above a column. */
export function nameOf(column: Column): string {
  return columns.find(([c]) => c === column)![1]
}

/** parsed reads columns as the address has them; null for none. What no column is called is left out. */
function parsed(text: string | null): Columns | null {
  const names = text?.split(',') ?? []
  return text === null ? null : new Set(columns.map(([c]) => c).filter((c) => names.includes(c)))
}

/** columnsOf is the columns of the address, or else those that this browser remembers. */
export function columnsOf(query: URLSearchParams): Columns {
  try {
    return parsed(query.get('columns')) ?? parsed(localStorage.getItem(place)) ?? usual
  } catch {
    return usual // the browser keeps nothing for this page
  }
}

/** ColumnsMenu has a box for each column. onColumns is told what the address is to say; it is remembered too. */
export function ColumnsMenu({ shown, onColumns }: { shown: Columns; onColumns: (text: string) => void }) {
  const turn = (column: Column, on: boolean) => {
    const text = columns
      .map(([c]) => c)
      .filter((c) => (c === column ? on : shown.has(c)))
      .join()
    try {
      localStorage.setItem(place, text)
    } catch {
      // Then the address alone has it.
    }
    onColumns(text || 'none')
  }
  const [open, setOpen] = useState(false)
  return (
    <details
      class="menu"
      onToggle={(e) => setOpen(e.currentTarget.open)}
      onKeyDown={(e) => {
        if (e.key !== 'Escape') return
        e.currentTarget.open = false
        e.currentTarget.querySelector('summary')?.focus()
      }}
    >
      <summary class="button">Columns</summary>
      <fieldset class="menu-list">
        <legend class="unseen">Columns of the list</legend>
        {open &&
          columns.map(([column, name]) => (
            <Check
              key={column}
              label={name}
              checked={shown.has(column)}
              onChange={(e) => turn(column, e.currentTarget.checked)}
            />
          ))}
      </fieldset>
    </details>
  )
}
