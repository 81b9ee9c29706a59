import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useNames } from '../../api/athletes'
import { newKey } from 'kinebase/key'
import { useAction, useQuery } from '../../api/query'
import { get, send } from '../../api/request'
import { useMay } from '../../api/session'
import { activities, movementsOf } from '../../labels'
import { go } from '../../route'
import { AthletePicker } from '../../ui/athlete-picker'
import { Button } from '../../ui/button'
import { faultsOf } from '../../ui/faults'
import { Choice, Field } from '../../ui/field'
import { ProblemBox } from '../../ui/problem'
import { Suggest } from '../../ui/suggest'
import { Columns } from './columns'
import { EstimateLine, useEstimate } from './estimate'
import { knownOf, type Known } from './known'
import { addressOf, remember } from './remembered'
import { bodyOf, faultIn, fieldNames, queryOf, rowKinds, type Wish } from './wish'

const times = [
  ['', 'When it was captured'],
  ['last_modified', 'When it last changed'],
] as const

/** Form asks for an export. The address bar has what stands in it. */
export function Form({ wish, onWish }: { wish: Wish; onWish: (w: Wish, typing?: string) => void }) {
  const may = useMay()
  const known = useKnown(wish, may('captures:read'))
  const names = useNames(wish.athletes, may('athletes:read'))
  const set = (more: Partial<Wish>) => onWish({ ...wish, ...more })
  // What is written in a field is one step for "back", however many letters it has.
  const write = (more: Partial<Wish>) => onWish({ ...wish, ...more }, Object.keys(more).join())

  // The same click counts once; another wish is another export.
  const key = useRef(newKey())
  useEffect(() => {
    key.current = newKey()
  }, [queryOf(wish)])
  const start = useAction(async () => {
    const job = await send('post', '/data/export', { body: bodyOf(wish), key: key.current })
    remember(job.jobId, wish)
    go(addressOf(job.jobId, wish))
  })
  useEffect(start.clear, [queryOf(wish)])
  const estimate = useEstimate(wish)

  // What was said of an older wish may not be true of this one.
  const refused = [start.problem, estimate.loading ? null : estimate.problem].find((p) => p?.status === 400)
  const [tried, setTried] = useState(false)
  const own = faultIn(wish)
  const message = own.startsWith('row_filter_column') && !tried ? '' : own || refused?.message || ''
  const bad = faultsOf(message, fieldNames).of
  const told =
    start.problem && (start.problem.status !== 400 || faultsOf(start.problem.message, fieldNames).rest.length > 0)

  return (
    <form
      class="card stack export-form"
      aria-label="A new export"
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        setTried(true)
        if (!own) void start.run()
      }}
    >
      <h2>New export</h2>
      {may('athletes:read') && (
        <div class="stack tight">
          <AthletePicker
            label={wish.athletes.length > 0 ? 'Add an athlete' : 'Athletes'}
            value=""
            onPick={(id) => {
              if (id && !wish.athletes.includes(id)) set({ athletes: [...wish.athletes, id] })
            }}
          />
          {bad.athletes && <p class="fault">{bad.athletes}</p>}
          {wish.athletes.length > 0 && (
            <Tags
              label="Athletes chosen"
              tags={wish.athletes.map((id) => [id, names.get(id) ?? `${id.slice(0, 8)}…`])}
              onRemove={(id) => set({ athletes: wish.athletes.filter((a) => a !== id) })}
            />
          )}
        </div>
      )}
      <div class="pair">
        <Suggest
          label="Activity"
          value={wish.activity}
          options={activities}
          fault={bad.activity}
          onValue={(activity) => write({ activity })}
        />
        <Suggest
          label="Movement"
          value={wish.movement}
          options={movementsOf(wish.activity)}
          fault={bad.movement}
          onValue={(movement) => write({ movement })}
        />
      </div>
      <div class="pair">
        <Field
          label="From"
          type="date"
          min="1900-01-01"
          max={wish.to || undefined}
          value={wish.from}
          fault={bad.startTime}
          onInput={(e) => write({ from: e.currentTarget.value })}
        />
        <Field
          label="To, that day included"
          type="date"
          min={wish.from || '1900-01-01'}
          value={wish.to}
          fault={bad.endTime}
          onInput={(e) => write({ to: e.currentTarget.value })}
        />
        {(wish.from || wish.to) && (
          <div class="both">
            <Choice
              label="The days are about"
              value={wish.dateMode}
              options={times}
              fault={bad.dateMode}
              hint={
                wish.dateMode
                  ? 'Days are those of UTC.'
                  : 'Days are those of UTC. Captures without a time are left out.'
              }
              onChange={(e) => set({ dateMode: e.currentTarget.value as Wish['dateMode'] })}
            />
          </div>
        )}
      </div>
      <Choice
        label="Rows"
        value={wish.rows}
        options={rowKinds}
        fault={bad.shape ?? (wish.rows === 'event' ? undefined : bad.row_filter_column)}
        onChange={(e) => set({ rows: e.currentTarget.value as Wish['rows'] })}
      />
      {wish.rows === 'event' && (
        <Suggest
          label="Event"
          value={wish.event}
          options={known.events}
          placeholder="left_foot_strike"
          fault={bad.row_filter_column}
          onValue={(event) => write({ event })}
        />
      )}
      <Columns
        chosen={wish.metrics}
        known={known.columns}
        fault={bad.metrics}
        onChosen={(metrics) => set({ metrics })}
      />
      {told && <ProblemBox problem={start.problem!} />}
      <footer class="stack tight">
        <EstimateLine wish={wish} estimate={estimate} />
        <div class="row">
          <Button kind="main" type="submit" busy={start.running}>
            Start the export
          </Button>
          {queryOf(wish) && (
            <Button
              kind="quiet"
              onClick={() => {
                setTried(false)
                go('/exports', { keepScroll: true })
              }}
            >
              Clear
            </Button>
          )}
        </div>
      </footer>
    </form>
  )
}

/** Tags is what was chosen, each with a button that takes it away. */
export function Tags({
  label,
  tags,
  onRemove,
}: {
  label: string
  tags: readonly (readonly [value: string, text: string])[]
  onRemove: (value: string) => void
}) {
  return (
    <ul class="tags" aria-label={label}>
      {tags.map(([value, text]) => (
        <li key={value}>
          <span dir="auto">{text}</span>
          <button type="button" aria-label={`Remove ${text}`} onClick={() => onRemove(value)}>
            ×
          </button>
        </li>
      ))}
    </ul>
  )
}

/** useKnown gives names of columns and events, as the newest capture that fits has them. */
function useKnown(w: Wish, ask: boolean): Known {
  const query = { activity: w.activity.trim(), movement: w.movement.trim(), status: 'completed', limit: 1 }
  const found = useQuery(
    ask ? `columns ${JSON.stringify(query)}` : null,
    async (signal) => {
      const { captures } = await get('/captures', { query, signal })
      const id = captures[0]?.session_id
      if (id === undefined) return null
      return get('/captures/{captureId}/motion', { path: { captureId: id }, signal })
    },
    { keep: true },
  )
  return useMemo(() => knownOf(found.data ?? null, w.rows === 'captures'), [found.data, w.rows])
}
