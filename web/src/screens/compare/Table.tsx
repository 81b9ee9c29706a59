import { useState } from 'preact/hooks'
import { Button } from '../../ui/button'
import { saveTable } from '../../ui/save'
import { things } from '../../ui/text'
import { metricsTable } from './saved'
import type { Cell, Table as Shape } from './metrics'
import { deviation, told } from '../capture/words'

/** So many groups are columns of their own on the page; the CSV has all of them. */
const most = 12

/** Table has the numbers of the groups beside each other. */
export function Table({ table }: { table: Shape }) {
  const [all, setAll] = useState(false)
  const groups = table.groups.slice(0, most)
  const rows = all ? table.rows : table.rows.slice(0, 20)
  if (table.rows.length === 0) return null
  return (
    <section class="stack" aria-labelledby="numbers-title">
      <div class="head">
        <h2 id="numbers-title">Numbers</h2>
        <div class="row no-print">
          <Button onClick={() => saveTable('comparison-numbers.csv', metricsTable(table))}>CSV of numbers</Button>
        </div>
      </div>
      <p class="quiet small">
        Mean ± SD (n − 1), and how many captures have a value.
        {groups.length > 1 && (
          <>
            {' '}
            Below it the difference to <bdi>{groups[0]?.name}</bdi>, paired where the athlete is the same.
          </>
        )}
      </p>
      <div class="sheet" role="region" aria-label="Numbers of each group" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Metric</th>
              <th scope="col">Unit</th>
              {groups.map((g, n) => (
                <th key={n} scope="col" class="number" dir="auto">
                  {g.name}
                  <div class="quiet small">{things(g.captures, 'capture')}</div>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((r) => (
              <tr key={r.key}>
                <th scope="row" dir="auto">
                  {r.name}
                  {r.source === 'file' && <span class="quiet small"> of the file</span>}
                </th>
                <td class="quiet">{r.unit || '–'}</td>
                {r.cells.slice(0, most).map((c, n) => (
                  <td key={n} class="number nowrap">
                    <One cell={c} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.groups.length > most && (
        <p class="quiet small">
          The table shows {most} of {table.groups.length} groups. The CSV has all of them.
        </p>
      )}
      {rows.length < table.rows.length && (
        <div>
          <Button onClick={() => setAll(true)}>Show all {table.rows.length} metrics</Button>
        </div>
      )}
    </section>
  )
}

function One({ cell: { spread, difference: d } }: { cell: Cell }) {
  if (!spread) return <span class="quiet">None</span>
  return (
    <>
      {told(spread.mean)}
      {spread.sd !== null && ` ± ${deviation(spread.sd, spread.mean)}`} <span class="quiet small">n {spread.n}</span>
      {d && (
        <div class="quiet small">
          {d.value > 0 ? '+' : d.value < 0 ? '−' : ''}
          {told(Math.abs(d.value))}
          {d.sd !== null && ` ± ${deviation(d.sd, spread.mean)}`}
          {d.pairs > 0 ? ` paired, ${things(d.pairs, 'athlete')}` : ' not paired'}
          {d.left > 0 && `, ${things(d.left, 'value')} left out`}
        </div>
      )}
    </>
  )
}
