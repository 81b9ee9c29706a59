import { phasesOf } from '../../../curves/spans'
import { spread } from '../../../curves/statistics'
import { Button } from '../../../ui/button'
import { saveTable } from '../../../ui/save'
import type { Mark } from '../../compare/trial'
import { deviation, told } from '../words'

/** Durations is a table of the cycles of one event: how long each takes, and at which part of it what else happens. */
export function Durations({ marks, event }: { marks: readonly Mark[]; event: string }) {
  const { names, cycles } = phasesOf(marks, event)
  const columns = [
    { name: 'Duration in s', values: cycles.map((c) => c.duration as number | null) },
    ...names.map((name, i) => ({ name: `${name} in %`, values: cycles.map((c) => c.at[i]!) })),
  ]
  const spreads = columns.map((c) => spread(c.values.filter((v): v is number => v !== null)))
  const save = () =>
    saveTable('cycles.csv', [
      ['event', 'cycle', 'from', 'to', ...columns.map((c) => c.name)],
      ...cycles.map((c, i) => [event, i + 1, c.span.from, c.span.to, ...columns.map((col) => col.values[i]!)]),
    ])
  return (
    <>
      <div class="head">
        <h3 dir="auto">From {event} to the next</h3>
        <Button onClick={save}>CSV of {event}</Button>
      </div>
      <div class="sheet" role="region" aria-label={`Cycles of ${event}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Cycle</th>
              <th scope="col" class="number">
                From, in s
              </th>
              {columns.map((c) => (
                <th key={c.name} scope="col" class="number" dir="auto">
                  {c.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cycles.map((c, i) => (
              <tr key={c.span.from}>
                <th scope="row">{i + 1}</th>
                <td class="number">{told(c.span.from)}</td>
                {columns.map((col) => (
                  <td key={col.name} class="number">
                    {col.values[i] === null ? <span class="quiet">–</span> : told(col.values[i]!)}
                  </td>
                ))}
              </tr>
            ))}
            <tr>
              <th scope="row">Mean ± SD</th>
              <td />
              {spreads.map((s, i) => (
                <td key={columns[i]!.name} class="number strong">
                  {s && told(s.mean)}
                  {s && s.sd !== null && ` ± ${deviation(s.sd, s.mean)}`}
                  {s && s.n < cycles.length && <span class="quiet small"> n {s.n}</span>}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
    </>
  )
}
