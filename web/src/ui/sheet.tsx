import type { ComponentChildren } from 'preact'

/** Column is the head of a column: its name, and the classes that say where it is left out for want of width. */
export type Column = string | [name: string, classes: string]

/** ACTIONS is the name of a column of buttons, which is read out and not shown. */
export const ACTIONS = 'Actions'

interface Props {
  label: string
  columns: Column[]
  children: ComponentChildren
}

/** Sheet is a table of rows, scrolled by itself where it is wider than the page. */
export function Sheet({ label, columns, children }: Props) {
  return (
    <div class="sheet" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => {
              const [name, classes] = typeof column === 'string' ? [column, undefined] : column
              return (
                <th key={name} scope="col" class={classes}>
                  {name === ACTIONS ? <span class="unseen">{name}</span> : name}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
