import type { Good } from '../../api/request'
import { useRemovals } from '../../removal/waiting'
import type { Choice } from './choice'
import { nameOf, usual, type Column, type Columns } from './columns'
import type { Sort } from './orders'
import { Row } from './row'
import './rows.css'

export type Capture = Good<'/captures'>['captures'][number]

/** included is what a list asks for besides what a capture always has: one call names everything on a page. */
export function included(mayAthletes: boolean): string {
  return ['file', ...(mayAthletes ? ['athlete'] : []), 'warnings', 'time'].join()
}

/** Order is how a table is sorted, and where a click on the name of a column leads. */
export interface Order {
  sort: Sort
  /** The address of the list in an order; null where it is too long for it. */
  href: (sort: Sort) => string | null
}

interface Props {
  captures: Capture[]
  withAthlete?: boolean
  shown?: Columns
  /** What is chosen of them; rows that nothing can be done with have none. */
  choice?: Choice
  order?: Order
}

/** The orders that the name of a column leads to, the first one first. */
const ordersOf: Partial<Record<Column | 'movement', readonly [Sort, Sort]>> = {
  movement: ['movement', '-movement'],
  athlete: ['athlete', '-athlete'],
  file: ['file', '-file'],
  recorded: ['', 'oldest'],
}

const classes: Record<Column, string | undefined> = {
  athlete: 'fold',
  file: 'fold',
  recorded: 'fold',
  rate: 'number fold',
  warnings: 'number fold',
  session: 'fold',
  status: undefined,
}

/** Rows is captures as a table: a row a capture and athlete. */
export function Rows({ captures, withAthlete = true, shown = usual, choice, order }: Props) {
  const ids = captures.map((c) => c.session_id)
  const all = ids.every((id) => choice?.chosen.has(id))
  const leaving = new Set(
    useRemovals().flatMap((r) => (r.stage === 'failed' || r.kind !== 'capture' ? [] : r.things.map((t) => t.id))),
  )
  const columns: Columns = withAthlete ? shown : new Set([...shown].filter((c) => c !== 'athlete'))
  return (
    <div class="sheet" role="region" aria-label="Captures" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {choice && (
              <th scope="col" class="tick">
                <input
                  type="checkbox"
                  aria-label="Choose all rows of this page"
                  checked={all}
                  indeterminate={!all && ids.some((id) => choice.chosen.has(id))}
                  onChange={() => choice.all(captures, !all)}
                />
              </th>
            )}
            <Head name="Movement" orders={ordersOf.movement} order={order} />
            {[...columns].map((c) => (
              <Head key={c} name={nameOf(c)} kind={classes[c]} orders={ordersOf[c]} order={order} />
            ))}
          </tr>
        </thead>
        <tbody>
          {captures.map((c) => (
            <Row
              key={`${c.session_id} ${c.athlete_id ?? ''}`}
              c={c}
              shown={columns}
              choice={choice}
              captures={captures}
              leaving={leaving.has(c.session_id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeadProps {
  name: string
  kind?: string | undefined
  orders: readonly [Sort, Sort] | undefined
  order: Order | undefined
}

/** Head names a column. A click sorts by it, and one more turns the order round. */
function Head({ name, kind, orders, order }: HeadProps) {
  const at = orders && order ? orders.indexOf(order.sort) : -1
  const to = orders && order?.href(orders[at === 0 ? 1 : 0])
  // Times fall from the newest on, names rise from A on.
  const rising = at >= 0 && (at === 0) === (orders![0] !== '')
  return (
    <th scope="col" class={kind} aria-sort={at < 0 ? undefined : rising ? 'ascending' : 'descending'}>
      {to ? (
        <a class="sort" href={to}>
          {name}
          <span aria-hidden="true">{at < 0 ? '' : rising ? ' ↑' : ' ↓'}</span>
        </a>
      ) : (
        name
      )}
    </th>
  )
}
