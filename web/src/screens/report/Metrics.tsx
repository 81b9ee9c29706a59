// What was measured, each with its definition.

import { useQuery } from '../../api/query'
import { get } from '../../api/request'
import { definitionOf, written } from '../../ui/definition'
import { humanized } from '../../ui/text'
import type { Capture, Computed } from '../capture/types'

export function Metrics({ capture, found }: { capture: Capture; found: Computed }) {
  const { activity, movement } = capture
  const asked = useQuery(`movement ${activity} ${movement} ${found.library}`, (signal) =>
    get('/movements', { query: { activity: activity ?? '', movement: movement ?? '' }, signal }),
  )
  const columns = new Map(asked.data?.movements[0]?.columns.map((c) => [c.name, c]))
  if (found.metrics.length === 0) return found.reason ? <p class="small quiet">{found.reason.message}</p> : null
  return (
    <section class="stack" aria-labelledby="metrics-title">
      <h2 id="metrics-title">Measured</h2>
      <table class="report-metrics">
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col" class="number">
              Value
            </th>
            <th scope="col">Definition</th>
          </tr>
        </thead>
        <tbody>
          {found.metrics.map((m) => {
            const c = columns.get(m.column)
            return (
              <tr key={m.column}>
                <th scope="row">{c?.title ?? humanized(m.column)}</th>
                <td class="number mono">
                  {m.value === null ? humanized(m.text ?? '') : `${written(m.value, c)} ${m.unit}`}
                </td>
                <td class="small">{definitionOf(c) ?? humanized(m.method)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {found.withheld.length > 0 && (
        <p class="small quiet">
          {found.withheld.length === 1 ? 'One value is' : `${found.withheld.length} values are`} not given:{' '}
          {[...new Set(found.withheld.map((w) => w.message))].join(' ')}
        </p>
      )}
    </section>
  )
}
