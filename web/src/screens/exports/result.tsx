import { useState } from 'preact/hooks'
import { useQuery } from '../../api/query'
import { address, get, type Good } from '../../api/request'
import { Copied } from '../../ui/copied'
import { Empty, Loading } from '../../ui/empty'
import { Field } from '../../ui/field'
import { ProblemBox } from '../../ui/problem'
import { count, things } from '../../ui/text'
import { bodyOf, type Wish } from './wish'

type Job = Good<'/data/export/job/{jobId}'>
type Row = Good<'/data/export/job/{jobId}/results'>['results'][number]

/** How many rows are shown, and how many columns at a time: a browser is slow with more cells. */
const shown = 20
const columnsMost = 200

/** Result is what a completed export has: files, the first rows, and how a script gets them. */
export function Result({ job, wish }: { job: Job; wish: Wish | undefined }) {
  const path = { jobId: job.jobId }
  const rows = useQuery(
    `rows ${job.jobId} ${job.rowCount ?? ''}`,
    (signal) => get('/data/export/job/{jobId}/results', { path, query: { limit: shown }, signal }),
    { keep: true },
  )
  if (rows.problem?.status === 404) {
    return (
      <Empty title="The result is no longer there">
        <p>Results are kept for 7 days. {wish ? 'Ask for it again to have it as the captures are now.' : ''}</p>
      </Empty>
    )
  }
  const file = (query: Record<string, string>) => address('/data/export/job/{jobId}/results', { path, query })
  return (
    <>
      <section class="stack" aria-labelledby="download">
        <h2 id="download">Download</h2>
        <ul class="formats">
          <File href={file({ format: 'csv', bom: '1' })} name={`export-${job.jobId}.csv`} title="CSV for spreadsheets">
            Opens in Excel, Numbers and LibreOffice.
          </File>
          <File href={file({ format: 'csv' })} name={`export-${job.jobId}.csv`} title="CSV">
            For programs: without the mark that spreadsheets want.
          </File>
          <File href={file({ format: 'ndjson' })} name={`export-${job.jobId}.ndjson`} title="NDJSON">
            A row a line, every text as it is stored.
          </File>
          <File href={file({ format: 'parquet' })} name={`export-${job.jobId}.parquet`} title="Parquet">
            For pandas, DuckDB, R: small, with types and units.
          </File>
        </ul>
      </section>
      <section class="stack" aria-labelledby="preview">
        {rows.problem && <ProblemBox problem={rows.problem} retryAt={rows.retryAt} onRetry={rows.refresh} />}
        {!rows.data && !rows.problem && <Loading what="Reading the first rows" />}
        {rows.data && <Preview rows={rows.data.results} total={rows.data.total_count} />}
      </section>
      <Script job={job} wish={wish} />
    </>
  )
}

function File({ href, name, title, children }: { href: string; name: string; title: string; children: string }) {
  return (
    <li>
      <a href={href} download={name}>
        <span class="strong">{title}</span>
        <span class="quiet small">{children}</span>
      </a>
    </li>
  )
}

function Preview({ rows, total }: { rows: Row[]; total: number }) {
  const [part, setPart] = useState('')
  const first = rows[0]
  if (!first)
    return (
      <>
        <h2 id="preview">The first rows</h2>
        <Empty title="No rows">
          <p>No completed capture fits what was asked for.</p>
        </Empty>
      </>
    )
  const all = Object.keys(first)
  const wanted = part.trim().toLowerCase()
  const fitting = wanted ? all.filter((c) => c.toLowerCase().includes(wanted)) : all
  const columns = fitting.slice(0, columnsMost)
  const numeric = new Set(columns.filter((c) => rows.some((r) => typeof cell(r, c) === 'number')))
  return (
    <>
      <div class="head">
        <div>
          <h2 id="preview">The first rows</h2>
          <p class="quiet" role="status">
            {rows.length < total ? `${rows.length} of ${things(total, 'row')}` : things(total, 'row')},{' '}
            {columns.length < all.length
              ? `${count(columns.length)} of ${things(all.length, 'column')}`
              : things(all.length, 'column')}
          </p>
        </div>
        <Field
          label="Columns with"
          type="search"
          placeholder="Part of a name"
          value={part}
          onInput={(e) => setPart(e.currentTarget.value)}
        />
      </div>
      {columns.length === 0 ? (
        <Empty title="No column of this name" />
      ) : (
        <div class="sheet preview" role="region" aria-label="Rows" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {columns.map((c) => (
                  <th key={c} scope="col" class={numeric.has(c) ? 'number' : undefined}>
                    {c}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((r, n) => (
                <tr key={n}>
                  {columns.map((c) => {
                    const v = cell(r, c)
                    return v === null || v === undefined ? (
                      <td key={c} class={numeric.has(c) ? 'number quiet' : 'quiet'} title="Missing">
                        –
                      </td>
                    ) : (
                      <td
                        key={c}
                        class={typeof v === 'number' ? 'number' : undefined}
                        {...(typeof v === 'number' ? {} : { dir: 'auto', title: v })}
                      >
                        {String(v)}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

function cell(r: Row, column: string): string | number | null | undefined {
  return (r as Record<string, string | number | null | undefined>)[column]
}

/** Script shows how the same is had without the console. */
function Script({ job, wish }: { job: Job; wish: Wish | undefined }) {
  const ask = `curl -fsS -H "Authorization: Bearer $KINEBASE_TOKEN"`
  const root = `${location.origin}/v1/data/export`
  return (
    <section class="stack" aria-labelledby="script">
      <h2 id="script">By script</h2>
      <p class="quiet">
        With a token that may read exports in the variable <code>KINEBASE_TOKEN</code>.
      </p>
      <Copied
        label="Download this result"
        text={`${ask} -o export.csv '${root}/job/${encodeURIComponent(job.jobId)}/results?format=csv'`}
      />
      {wish && (
        <Copied
          label="Ask for the same again"
          text={`${ask} --json ${quoted(JSON.stringify(bodyOf(wish)))} '${root}'`}
        />
      )}
    </section>
  )
}

/** quoted is a text as a shell takes it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
