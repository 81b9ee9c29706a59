import { useEffect, useMemo } from 'preact/hooks'
import { useQuery } from '../../../api/query'
import { get, visiting, type Sent } from '../../../api/request'
import { go, usePlace, withQuery } from '../../../route'
import { Button } from '../../../ui/button'
import { definitionOf } from '../../../ui/definition'
import { Loading } from '../../../ui/empty'
import { Choice } from '../../../ui/field'
import { ProblemBox } from '../../../ui/problem'
import { save, saveTable } from '../../../ui/save'
import { things } from '../../../ui/text'
import { tell } from '../../../ui/toast'
import { Chart } from './chart'
import { kindText, sameKind, type Kind } from './kinds'
import { figureOf } from './placed'
import { find, readKind } from './read'
import { offersOf, seriesOf, tableOf, type Measured, type Offer, type Series } from './series'
import { Table } from './table'
import './progress.css'

interface Props {
  athlete: string
  captures: readonly { activity: string | null; movement: string | null }[]
  total: number
  /** Is told what is shown; null where nothing is that could be shared. */
  onShown?: (course: Shown | null) => void
}

/** Shown is a metric of an athlete's captures with two labels. */
type Shown = NonNullable<Sent<'/shares', 'post'>['progress']>

/**
 * Progress shows any metric of an athlete over time. captures are the athlete's own, and total is how many there are:
 * when it changes the metrics are read again. The address has what is chosen.
 */
export function Progress({ athlete, captures, total, onShown }: Props) {
  const { path, query } = usePlace()
  const found = useQuery(`progress ${athlete} ${total}`, (signal) => find(athlete, captures, signal), { keep: true })
  const kinds = found.data?.kinds ?? []
  const wanted = { activity: query.get('activity'), movement: query.get('movement') }
  const asked = wanted.activity !== null || wanted.movement !== null
  const at = Math.max(0, asked ? kinds.findIndex((k) => sameKind(k, wanted)) : 0)
  const kind = kinds[at]
  const choose = (k: Kind, metric: string | null) => {
    const kept = Object.fromEntries(query)
    const to = withQuery(path, { ...kept, activity: k.activity, movement: k.movement, metric })
    go(to, { replace: true, keepScroll: true })
  }
  if (found.data && !kind) return onShown || visiting() ? <Nothing /> : null // nothing was measured yet
  return (
    <section class="card stack progress" aria-label="Progress">
      <h2>Progress</h2>
      {found.problem && <ProblemBox problem={found.problem} retryAt={found.retryAt} onRetry={found.refresh} />}
      {!found.data && !found.problem && <Loading what="Reading the metrics" />}
      {kind && (
        <Of
          key={JSON.stringify([kind.activity, kind.movement])}
          athlete={athlete}
          kind={kind}
          total={total}
          read={found.data?.all ?? null}
          metric={query.get('metric')}
          kinds={
            <Choice
              label="Movement"
              value={String(at)}
              options={kinds.map((k, n) => [String(n), `${kindText(k)} (${things(k.captures, 'capture')})`])}
              onChange={(e) => choose(kinds[Number(e.currentTarget.value)]!, null)}
            />
          }
          onMetric={(name) => choose(kind, name)}
          onShown={onShown}
        />
      )}
    </section>
  )
}

/** Nothing says that there is nothing, on a page that has nothing else. */
function Nothing() {
  return (
    <section class="card stack progress" aria-label="Progress">
      <h2>Progress</h2>
      <p class="quiet">{none()}</p>
    </section>
  )
}

/** none says that captures lack what is shown; to a visitor captures show one metric. */
function none(): string {
  return visiting()
    ? 'No capture has the metric that this link shows. One that comes later is shown here.'
    : 'None of these captures has a metric.'
}

interface OfProps {
  athlete: string
  kind: Kind
  total: number
  /** All captures with their metrics, where they have been read; else null. */
  read: readonly Measured[] | null
  metric: string | null
  kinds: preact.ComponentChild
  onMetric: (name: string) => void
  onShown: Props['onShown']
}

/** Of is the progress of one movement. */
function Of({ athlete, kind, total, read, metric, kinds, onMetric, onShown }: OfProps) {
  const asked = useQuery(read ? null : `progress ${athlete} ${total} ${JSON.stringify(kind)}`, (signal) =>
    readKind(athlete, kind, signal),
  )
  const captures = useMemo(() => read?.filter((c) => sameKind(c, kind)) ?? asked.data ?? null, [read, kind, asked.data])
  const labels = { activity: kind.activity, movement: kind.movement }
  const known = kind.activity !== null && kind.movement !== null
  const library = useQuery(known ? `movement ${JSON.stringify(labels)}` : null, (signal) =>
    get('/movements', { query: labels, signal }),
  )
  const offers = useMemo(
    () => offersOf(captures ?? [], library.data?.movements[0]?.columns.filter((c) => c.kind === 'metric') ?? []),
    [captures, library.data],
  )
  const offer = offers.find((o) => o.name === metric) ?? offers.find((o) => o.values > 0) ?? offers[0]
  const series = useMemo(() => (offer ? seriesOf(captures ?? [], offer) : null), [captures, offer])
  const named = offer?.name
  useEffect(() => {
    const { activity, movement } = labels
    if (named !== undefined && activity && movement)
      onShown?.({ athlete_id: athlete, activity, movement, metric: named })
    else onShown?.(null)
  }, [athlete, labels.activity, labels.movement, named])
  useEffect(() => () => onShown?.(null), [])
  return (
    <>
      {/* Paper has no choices, and of one thing there is none. */}
      {offer && (
        <p class={visiting() ? '' : 'only-print'}>
          <strong>{kindText(kind)}</strong>: {optionText(offer)}
        </p>
      )}
      {!visiting() && (
        <div class="pair no-print">
          {kinds}
          {offer && (
            <Choice
              label="Metric"
              title={definitionOf(offer.column)}
              value={offer.name}
              options={offers.map((o) => [o.name, optionText(o)])}
              onChange={(e) => onMetric(e.currentTarget.value)}
            />
          )}
        </div>
      )}
      {asked.problem && <ProblemBox problem={asked.problem} retryAt={asked.retryAt} onRetry={asked.refresh} />}
      {!captures && !asked.problem && <Loading what="Reading the metrics" />}
      {captures && !offer && <p class="quiet">{none()}</p>}
      {!visiting() && captures && offer && metric !== null && offer.name !== metric && (
        <p class="quiet" role="status">
          None of these captures has “{metric}”: another metric is shown.
        </p>
      )}
      {offer && series && <Course athlete={athlete} offer={offer} series={series} />}
    </>
  )
}

function optionText(o: Offer): string {
  return `${o.title}${o.unit ? ` (${o.unit})` : ''}${o.values === 0 ? ', not given' : ''}`
}

/** pictured is the chart as a picture. */
async function pictured(offer: Offer, series: Series): Promise<Blob> {
  const { pictureOf } = await import('../../../ui/figure/png')
  return pictureOf(figureOf(series), optionText(offer), [])
}

function Course({ athlete, offer, series }: { athlete: string; offer: Offer; series: Series }) {
  const notes = [
    offer.column?.better && `${offer.column.better === 'higher' ? 'Higher' : 'Lower'} is better.`,
    series.methods.length > 1 && `Found by ${series.methods.length} methods, which the table names.`,
    series.untimed > 0 && `${things(series.untimed, 'value')} without a time: in the table alone.`,
    series.otherUnits > 0 && `${things(series.otherUnits, 'value')} in another unit: in the table alone.`,
  ].filter(Boolean)
  return (
    <>
      {offer.column && (
        <p class="small" title={definitionOf(offer.column)}>
          {offer.column.description}
        </p>
      )}
      {series.dots.length > 0 ? (
        <Chart key={offer.name} series={series} offer={offer} />
      ) : (
        <p class="quiet">No capture with a time has a value. The table has the reasons.</p>
      )}
      <div class="head">
        <p class="quiet small">
          {offer.values} of {things(series.rows.length, 'capture')} {offer.values === 1 ? 'has' : 'have'} a value.{' '}
          {notes.join(' ')}
        </p>
        <div class="row no-print">
          {series.dots.length > 0 && (
            <Button
              onClick={() =>
                void pictured(offer, series).then(
                  (picture) => save(`${offer.name}-${athlete}.png`, picture),
                  (thrown: unknown) => tell(String(thrown)),
                )
              }
            >
              PNG
            </Button>
          )}
          <Button onClick={() => saveTable(`${offer.name}-${athlete}.csv`, tableOf(series, offer))}>
            Download CSV
          </Button>
        </div>
      </div>
      <Table key={offer.name} series={series} offer={offer} />
    </>
  )
}
