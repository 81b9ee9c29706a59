import { useState } from 'preact/hooks'
import { visiting } from '../../../api/request'
import { Button } from '../../../ui/button'
import { written } from '../../../ui/definition'
import { humanized, time } from '../../../ui/text'
import type { Offer, Row, Series } from './series'

/** So many rows are shown before somebody asks for all. */
const few = 20

/** Table has every capture of the metric, also those without a value, with the reason. */
export function Table({ series, offer }: { series: Series; offer: Offer }) {
  const [all, setAll] = useState(false)
  const rows = all ? series.rows : series.rows.slice(-few)
  return (
    <>
      <section class="sheet" tabIndex={0} aria-label={`Values of ${offer.title}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Captured</th>
              <th scope="col" class="number">
                {offer.unit ? `Value (${offer.unit})` : 'Value'}
              </th>
              <th scope="col">Found by</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((r) => (
              <tr key={r.capture.session_id}>
                <td>
                  {visiting() ? (
                    whenText(r)
                  ) : (
                    <a href={`/captures/${encodeURIComponent(r.capture.session_id)}`}>{whenText(r)}</a>
                  )}
                </td>
                <td class="number">{valueText(r, offer)}</td>
                <td class="small quiet" dir="auto">
                  {foundText(r)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {!all && series.rows.length > few && (
        <div>
          <Button onClick={() => setAll(true)}>Show all {series.rows.length} captures</Button>
        </div>
      )}
    </>
  )
}

function whenText({ capture }: Row): string {
  return capture.capture_time === null ? 'No time' : time(capture.capture_time)
}

/** foundText is what a value was found by, or why there is none: a visitor may hear the reason's code alone. */
function foundText({ value: v }: Row): string {
  return v.message ?? (v.withheld === null ? (v.method ?? 'The file itself') : humanized(v.withheld))
}

function valueText({ value: v }: Row, offer: Offer): string {
  if (v.text !== null) return humanized(v.text)
  if (v.value === null) return 'Not given'
  return `${written(v.value, v.source === 'computed' ? offer.column : undefined)}${v.unit === offer.unit ? '' : ` ${v.unit}`}`
}
