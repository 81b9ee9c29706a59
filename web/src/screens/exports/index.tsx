import { useEffect, useState } from 'preact/hooks'
import { useQuery } from '../../api/query'
import { get, type Good } from '../../api/request'
import { useMay } from '../../api/session'
import { go, offsetOf, usePlace } from '../../route'
import { ExportChip } from '../../ui/chip'
import { Empty, Loading } from '../../ui/empty'
import { Pager } from '../../ui/pager'
import { ProblemBox } from '../../ui/problem'
import { Sheet } from '../../ui/sheet'
import { ago, count, things, time } from '../../ui/text'
import { Form } from './form'
import { addressOf, wishes } from './remembered'
import { formOf, wishOf, wordsOf, type Wish } from './wish'
import './exports.css'

type Job = Good<'/data/export/job'>['jobs'][number]

const limit = 25
/** The time between two reads of the list, in ms: short while an export is under way. */
const soon = 1_000
const later = 15_000

/** Exports is the list of exports, and the form for a new one; the address bar has what stands in it. */
export default function Exports() {
  const { query } = usePlace()
  const may = useMay()
  const offset = offsetOf(query)
  const wish = { ...wishOf(query), chosen: 0 } // the form has no captures that were chosen
  const at = (w: Wish, to: number) => {
    const form = formOf(w)
    return to ? `${form}${form.includes('?') ? '&' : '?'}offset=${to}` : form
  }
  const [busy, setBusy] = useState(false)
  const asked = { limit, offset }
  const list = useQuery(`exports ${offset}`, (signal) => get('/data/export/job', { query: asked, signal }), {
    every: busy ? soon : later,
    keep: true,
  })
  const page = list.data
  useEffect(() => setBusy(page?.jobs.some((j) => j.status === 'RUNNING') ?? false), [page])
  const writes = may('exports:write')

  return (
    <>
      <h1>Exports</h1>
      <div class={writes ? 'beside' : 'stack'}>
        {writes && (
          <Form
            wish={wish}
            onWish={(w, typing) => go(at(w, offset), { keepScroll: true, ...(typing ? { typing } : {}) })}
          />
        )}
        <section class="stack" aria-label="Exports so far">
          {list.problem && <ProblemBox problem={list.problem} retryAt={list.retryAt} onRetry={list.refresh} />}
          {!page && !list.problem && <Loading />}
          {page &&
            (page.total_count === 0 ? (
              <Empty title="No exports yet">
                <p>
                  An export gathers the frames of many captures into one table, for spreadsheets, Python or R.
                  {writes
                    ? ' Leave the form empty to have everything.'
                    : ' This token may look at exports, not ask for one.'}
                </p>
              </Empty>
            ) : (
              <>
                <p class="quiet" role="status">
                  {things(page.total_count, 'export')}
                </p>
                {page.jobs.length > 0 ? (
                  <Rows jobs={page.jobs} />
                ) : (
                  <Empty title="Past the end">
                    <p>
                      There are only {things(page.total_count, 'export')}. <a href={at(wish, 0)}>To the first page</a>
                    </p>
                  </Empty>
                )}
                {page.total_count > limit && (
                  <Pager
                    total={page.total_count}
                    offset={offset}
                    limit={limit}
                    shown={page.jobs.length}
                    what="exports"
                    href={(to) => at(wish, to)}
                  />
                )}
              </>
            ))}
        </section>
      </div>
    </>
  )
}

function Rows({ jobs }: { jobs: Job[] }) {
  const known = wishes()
  return (
    <Sheet label="Exports" columns={['Asked for', ['Rows', 'number fold'], 'Status']}>
      {jobs.map((j) => {
        const wish = known.get(j.jobId)
        return (
          <tr key={j.jobId}>
            <td class="wide folding">
              <a class="strong" href={addressOf(j.jobId, wish)}>
                <time dateTime={j.createdAt} title={ago(j.createdAt)}>
                  {time(j.createdAt)}
                </time>
              </a>
              {wish && (
                <div class="quiet small" dir="auto">
                  {wordsOf(wish)}
                </div>
              )}
              {j.rowCount !== undefined && <div class="folded quiet small">{things(j.rowCount, 'row')}</div>}
              {j.errorMessage && (
                <div class="quiet small" dir="auto">
                  {j.errorMessage}
                </div>
              )}
            </td>
            <td class="fit number fold">
              {j.rowCount === undefined ? <span class="quiet">–</span> : count(j.rowCount)}
            </td>
            <td class="fit">
              {j.status === 'RUNNING' ? <Running progress={j.progress ?? 0} /> : <ExportChip status={j.status} />}
            </td>
          </tr>
        )
      })}
    </Sheet>
  )
}

function Running({ progress }: { progress: number }) {
  return (
    <div class="running">
      <ExportChip status="RUNNING" />
      <progress max={1} value={progress} aria-label="Progress" />
      <span class="number small quiet">{Math.floor(progress * 100)} %</span>
    </div>
  )
}
