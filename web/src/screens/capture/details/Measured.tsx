// Computed events and metrics of a movement, and the withheld ones with the reason.

import { Fragment } from 'preact'

import { get } from '../../../api/request'
import { useQuery } from '../../../api/query'
import { definitionOf } from '../../../ui/definition'
import { humanized } from '../../../ui/text'
import { Button } from '../../../ui/button'
import type { Measuring } from '../measured'
import type { Player } from '../player'
import type { Capture, Computed } from '../types'
import { seconds } from '../words'

/** Measured shows what the library of movements has found in a recording. */
export function Measured({ capture, found, player }: { capture: Capture; found: Computed; player: Player }) {
  const { activity, movement } = capture
  const asked = useQuery(`movement ${activity} ${movement} ${found.library}`, (signal) =>
    get('/movements', { query: { activity: activity ?? '', movement: movement ?? '' }, signal }),
  )
  const columns = new Map(asked.data?.movements[0]?.columns.map((c) => [c.name, c]))
  const title = (name: string) => columns.get(name)?.title ?? humanized(name)
  return (
    <section class="card measured" aria-labelledby="measured-title">
      <div class="head">
        <h2 id="measured-title">Measured</h2>
        <span class="quiet small">{found.metrics.length}</span>
      </div>
      {found.reason && (
        <p class="small quiet" dir="auto">
          {found.reason.message}
        </p>
      )}
      {found.events.length > 0 && (
        <ol class="events">
          {found.events.map((e) => (
            <li key={e.column}>
              <button
                type="button"
                title={definitionOf(columns.get(e.column))}
                onClick={() => {
                  player.pause()
                  player.seek(e.frame)
                }}
              >
                <span class="mono">{seconds(e.time)}</span>
                <i aria-hidden="true" />
                <span>{title(e.column)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
      {found.metrics.length > 0 && (
        <dl class="facts">
          {found.metrics.map((m) => (
            <Fragment key={m.column}>
              <dt title={definitionOf(columns.get(m.column))}>{title(m.column)}</dt>
              <dd class="mono">
                {m.value === null
                  ? humanized(m.text ?? '')
                  : `${m.value.toFixed(columns.get(m.column)?.precision ?? 3)} ${m.unit}`}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {found.withheld.length > 0 && (
        <details class="withheld">
          <summary>
            {found.withheld.length === 1 ? 'One value is not given' : `${found.withheld.length} values are not given`}
          </summary>
          {byReason(found).map(([message, names]) => (
            <p key={message} class="small">
              <span dir="auto">{message}</span> <span class="quiet">{names.map(title).join(', ')}</span>
            </p>
          ))}
        </details>
      )}
      {found.used.notes.map((n) => (
        <p key={n} class="small quiet" dir="auto">
          {n}
        </p>
      ))}
    </section>
  )
}

/** Awaited says that a recording is being measured, or was not when it was last looked at. */
export function Awaited({ measuring }: { measuring: Measuring }) {
  return (
    <section class="card measured" aria-labelledby="awaited-title">
      <h2 id="awaited-title">Measured</h2>
      {measuring.waiting ? (
        <p class="small quiet" role="status">
          The recording is being measured. The results are shown here as soon as they are there.
        </p>
      ) : (
        <>
          <p class="small quiet" role="status">
            The recording has not been measured yet.
          </p>
          <div>
            <Button onClick={measuring.again}>Look again</Button>
          </div>
        </>
      )}
    </section>
  )
}

/** The names of what is withheld, by the sentence that says why. */
function byReason(found: Computed): [string, string[]][] {
  const all = new Map<string, string[]>()
  for (const w of found.withheld) all.set(w.message, [...(all.get(w.message) ?? []), w.column])
  return [...all]
}
