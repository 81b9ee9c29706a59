// Events, metrics and warnings.

import { Fragment } from 'preact'

import type { Player } from '../player'
import { sideOf } from '../plots/events'
import type { Motion } from '../types'
import { seconds } from '../words'

export function Events({ motion, player }: { motion: Motion; player: Player }) {
  const events = [...motion.events].sort((a, b) => a.time - b.time)
  return (
    <section class="card" aria-labelledby="events-title">
      <div class="head">
        <h2 id="events-title">Events</h2>
        <span class="quiet small">{events.length}</span>
      </div>
      <ol class="events">
        {events.map((e, i) => (
          <li key={i}>
            <button
              type="button"
              disabled={e.frame === null}
              title={e.frame === null ? 'It lies outside of the recording' : e.description || undefined}
              onClick={() => {
                player.pause()
                if (e.frame !== null) player.seek(e.frame)
              }}
            >
              <span class="mono">{seconds(e.time)}</span>
              <i class={sideOf(e)} aria-hidden="true" />
              <span dir="auto">{e.label || 'Event'}</span>
              <small class="quiet" dir="auto">
                {[e.context, e.subject].filter(Boolean).join(', ')}
                {e.frame === null ? ' outside' : ''}
              </small>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Metrics are numbers of which the recording has one each, such as a walking speed. */
export function Metrics({ motion }: { motion: Motion }) {
  return (
    <section class="card" aria-labelledby="metrics-title">
      <div class="head">
        <h2 id="metrics-title">Metrics</h2>
        <span class="quiet small">{motion.metrics.length}</span>
      </div>
      <dl class="facts">
        {motion.metrics.map((m, i) => (
          <Fragment key={i}>
            <dt dir="auto" title={m.description || undefined}>
              {[m.context, m.name].filter(Boolean).join(' ')}
            </dt>
            <dd class="mono" dir="auto">
              {Number(m.value.toPrecision(6))} {m.unit}
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

export function Warnings({ motion }: { motion: Motion }) {
  return (
    <section class="card warnings" aria-labelledby="warnings-title">
      <div class="head">
        <h2 id="warnings-title">
          {motion.warnings.length === 1
            ? 'One thing is odd about this file'
            : `${motion.warnings.length} things are odd about this file`}
        </h2>
      </div>
      <ul>
        {motion.warnings.map((w, i) => (
          <li key={i} dir="auto" data-code={w.code}>
            {w.message}
          </li>
        ))}
      </ul>
    </section>
  )
}
