import { useEffect, useState } from 'preact/hooks'
import { useQuery } from '../../api/query'
import { get } from '../../api/request'
import { useMay } from '../../api/session'
import { go, usePlace, withQuery } from '../../route'
import { CaptureChip } from '../../ui/chip'
import { Empty, Loading } from '../../ui/empty'
import { ProblemBox } from '../../ui/problem'
import { ago, bytes, count, time } from '../../ui/text'
import { Chart } from './chart'
import { stacked, type Overview as Told } from './days'
import { included } from '../captures/rows'
import { whenOf } from '../captures/when'
import { titleOf } from './words'
import './overview.css'

const spans = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
] as const
/** The time between two reads, in ms: short while something is processed. */
const soon = 5_000
const later = 30_000

/** Overview is what the organization has and what became of it lately. */
export default function Overview() {
  const { query } = usePlace()
  const days = spans.find(([d]) => d === query.get('days'))?.[0] ?? '30'
  const may = useMay()
  const include = included(may('athletes:read'))
  const [busy, setBusy] = useState(false)
  const asked = useQuery(`overview ${days}`, (signal) => get('/overview', { query: { days, include }, signal }), {
    every: busy ? soon : later,
    keep: true,
  })
  const o = asked.data
  useEffect(() => setBusy((o?.by_status.processing ?? 0) > 0), [o])
  return (
    <>
      <div class="head">
        <h1>Overview</h1>
        <div class="spans" role="group" aria-label="Days shown">
          {spans.map(([d, text]) => (
            <button
              key={d}
              type="button"
              aria-pressed={d === days}
              onClick={() => go(withQuery('/overview', { days: d === '30' ? null : d }), { keepScroll: true })}
            >
              {text}
            </button>
          ))}
        </div>
      </div>
      {asked.problem && <ProblemBox problem={asked.problem} retryAt={asked.retryAt} onRetry={asked.refresh} />}
      {!o && !asked.problem && <Loading />}
      {o && (o.total_captures === 0 && o.total_athletes === 0 ? <Nothing /> : <Filled o={o} />)}
    </>
  )
}

function Nothing() {
  const may = useMay()
  return (
    <Empty title="Nothing here yet">
      <p>
        {may('captures:write') ? (
          <>
            Send motion files or videos on the page of <a href="/captures">captures</a>; what becomes of them is shown
            here.
          </>
        ) : (
          'What becomes of captures is shown here, once there are some.'
        )}
      </p>
    </Empty>
  )
}

/** Storage tells what files take and, where there is a bound, what they may take. */
function Storage({ s }: { s: Told['storage'] }) {
  const exports = s.export_bytes > 0 ? `and ${bytes(s.export_bytes)} of exports` : ''
  const allowed = s.file_bytes_allowed
  if (allowed === null)
    return (
      <Figure title="Storage" value={bytes(s.original_bytes)}>
        {exports || 'of files as they came'}
      </Figure>
    )
  const full = s.file_bytes >= allowed
  const of = full
    ? `all of the ${bytes(allowed)} that files may take: no more are taken`
    : `of the ${bytes(allowed)} that files may take`
  return (
    <Figure title="Storage" value={bytes(s.file_bytes)} tone={full ? 'bad' : undefined}>
      {exports ? `${of}, ${exports}` : of}
    </Figure>
  )
}

function Filled({ o }: { o: Told }) {
  const { kinds, days } = stacked(o)
  const total = days.reduce((n, d) => n + d.total, 0)
  const s = o.by_status
  return (
    <>
      <ul class="figures" aria-label="Totals">
        <Figure
          title="Captures"
          value={count(o.total_captures)}
          href="/captures"
        >{`${count(total)} in these days`}</Figure>
        <Figure title="Athletes" value={count(o.total_athletes)} href="/athletes" />
        <Figure
          title="Processing"
          value={count(s.processing)}
          href="/captures?status=processing"
          tone={s.processing > 0 ? 'busy' : undefined}
        >
          {s.awaiting_upload > 0 ? `${count(s.awaiting_upload)} await their file` : 'none awaits its file'}
        </Figure>
        <Figure
          title="Failed"
          value={count(s.error)}
          href="/captures?status=error"
          tone={s.error > 0 ? 'bad' : undefined}
        />
        <Storage s={o.storage} />
      </ul>
      <section class="card stack" aria-labelledby="per-day">
        <h2 id="per-day">Captures a day</h2>
        {total > 0 ? (
          <Chart kinds={kinds} days={days} />
        ) : (
          <p class="quiet none">
            Nothing was captured in these days. Days are those of UTC; captures without a time are in none.
          </p>
        )}
      </section>
      <div class="halves">
        <section class="stack" aria-labelledby="failures">
          <div class="head">
            <h2 id="failures">Failed processing</h2>
            {s.error > o.failed.length && <a href="/captures?status=error">All {count(s.error)}</a>}
          </div>
          {o.failed.length === 0 ? (
            <p class="card quiet">Every file could be read.</p>
          ) : (
            <ul class="card list">
              {o.failed.map((c) => (
                <li key={c.session_id}>
                  <Heading c={c} />
                  <p class="why small" dir="auto">
                    {c.error}
                  </p>
                </li>
              ))}
            </ul>
          )}
        </section>
        <section class="stack" aria-labelledby="changes">
          <h2 id="changes">Recent changes</h2>
          {o.recent.length === 0 ? (
            <p class="card quiet">There are no captures.</p>
          ) : (
            <ul class="card list">
              {o.recent.map((c) => (
                <li key={c.session_id}>
                  <Heading c={c} />
                  <div class="line">
                    <span class="quiet small">{whenOf(c)}</span>
                    <CaptureChip status={c.status} />
                  </div>
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </>
  )
}

/** Heading names a capture in a list, and says when it changed and whose it is. */
function Heading({ c }: { c: Told['recent'][number] }) {
  return (
    <>
      <div class="line">
        <a class="strong" href={`/captures/${encodeURIComponent(c.session_id)}`} dir="auto">
          {titleOf(c)}
        </a>
        <When iso={c.last_modified} />
      </div>
      <Whose c={c} />
    </>
  )
}

/** Whose says by its file and its athlete which capture it is, as far as its title does not. */
function Whose({ c }: { c: Told['recent'][number] }) {
  const parts = [titleOf(c) === c.file_name ? null : c.file_name, c.athlete_name].filter((p): p is string => Boolean(p))
  return parts.length === 0 ? null : (
    <p class="quiet small dots">
      {parts.map((p) => (
        <span key={p} dir="auto">
          {p}
        </span>
      ))}
    </p>
  )
}

function When({ iso }: { iso: string }) {
  return (
    <time class="quiet small" dateTime={iso} title={time(iso)}>
      {ago(iso)}
    </time>
  )
}

function Figure({
  title,
  value,
  href,
  tone,
  children,
}: {
  title: string
  value: string
  href?: string
  tone?: 'busy' | 'bad' | undefined
  children?: string
}) {
  const inner = (
    <>
      <span class="title">{title}</span>
      <span class={`value ${tone ?? ''}`}>{value}</span>
      {children && <span class="quiet small">{children}</span>}
    </>
  )
  return (
    <li>
      {href ? (
        <a class="card" href={href}>
          {inner}
        </a>
      ) : (
        <div class="card">{inner}</div>
      )}
    </li>
  )
}
