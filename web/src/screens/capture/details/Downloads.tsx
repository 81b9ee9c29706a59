// Everything that can be had of a capture's file.

import { useEffect, useRef } from 'preact/hooks'
import { Problem } from '../../../api/problem'
import { useAction } from '../../../api/query'
import { address, fetched } from '../../../api/request'
import { ProblemBox } from '../../../ui/problem'
import { tell } from '../../../ui/toast'
import { valuesPerCall } from '../data/plan'
import type { Motion } from '../types'
import { bytes } from '../../../ui/text'

/** A table is put together out of so many calls at most; what is larger is an export's. */
const callsMost = 60

/**
 * The list ends below the right end of its button, and is moved so far that it does not begin beyond the page's left
 * edge.
 */
function fit(menu: HTMLDetailsElement) {
  const list = menu.querySelector<HTMLElement>('.menu-list')
  if (!menu.open || !list) return
  list.style.translate = 'none'
  list.style.translate = `${Math.max(0, edge - list.getBoundingClientRect().left)}px`
}

const edge = 16 // pixels, half of what the list leaves free of a narrow page

export function Downloads({ id, motion, file }: { id: string; motion: Motion | undefined; file: boolean }) {
  const box = useRef<HTMLDetailsElement>(null)
  const path = { captureId: id }
  const stem = (motion?.file_name ?? id).replace(/\.[^.]*$/, '')
  const moving = motion !== undefined && motion.frames > 0 && motion.channels.length > 0
  const points = moving && motion.channels.some((c) => c.kind === 'point')

  useEffect(() => {
    const away = (e: Event) => {
      if (box.current?.open && !(e.target instanceof Node && box.current.contains(e.target))) box.current.open = false
    }
    addEventListener('pointerdown', away)
    addEventListener('focusin', away)
    return () => {
      removeEventListener('pointerdown', away)
      removeEventListener('focusin', away)
    }
  }, [])

  const converted = useAction(async (format: 'c3d' | 'trc' | 'csv') => {
    const answer = await fetched(address('/captures/{captureId}/file', { path, query: { format } }))
    save(await answer.blob(), `${stem}.${format}`)
  })
  const table = useAction(async (kind: 'csv' | 'parquet') => {
    if (!motion) return
    const parts = await tables(id, motion, kind)
    if (kind === 'csv') save(new Blob(parts, { type: 'text/csv' }), `${stem}.frames.csv`)
    else parts.forEach((part, i) => save(part, parts.length === 1 ? `${stem}.parquet` : `${stem}.${i + 1}.parquet`))
    if (parts.length > 1 && kind === 'parquet') tell(`The table came in ${parts.length} files.`)
  })
  if (!file) return null
  const busy = converted.running || table.running
  const problem = converted.problem ?? table.problem
  return (
    <details
      class="menu"
      ref={box}
      onToggle={(e) => fit(e.currentTarget)}
      onKeyDown={(e) => {
        if (e.key === 'Escape' && box.current) {
          box.current.open = false
          box.current.querySelector('summary')?.focus()
        }
      }}
    >
      <summary class="button" aria-busy={busy || undefined}>
        {busy ? 'Preparing…' : 'Download'}
      </summary>
      <div class="menu-list">
        <a href={address('/captures/{captureId}/file', { path })} download={motion?.file_name ?? ''}>
          The file as it came{' '}
          {motion && (
            <small>
              {motion.format.toUpperCase()}, {bytes(motion.size)}
            </small>
          )}
        </a>
        {points && (
          <button type="button" disabled={busy} onClick={() => void converted.run('c3d')}>
            C3D <small>points, channels, events</small>
          </button>
        )}
        {points && (
          <button type="button" disabled={busy} onClick={() => void converted.run('trc')}>
            TRC <small>points only</small>
          </button>
        )}
        {moving && (
          <button type="button" disabled={busy} onClick={() => void converted.run('csv')}>
            CSV <small>a row a frame, converted from the file</small>
          </button>
        )}
        {moving && (
          <button type="button" disabled={busy} onClick={() => void table.run('csv')}>
            Frames as CSV <small>in metres, by the corrected rate</small>
          </button>
        )}
        {moving && (
          <button type="button" disabled={busy} onClick={() => void table.run('parquet')}>
            Frames as Parquet <small>the same, for programs</small>
          </button>
        )}
        {problem && <ProblemBox problem={problem} />}
      </div>
    </details>
  )
}

async function tables(id: string, motion: Motion, kind: 'csv' | 'parquet'): Promise<Blob[]> {
  const columns = motion.channels.reduce((n, c) => n + c.columns.length, 0)
  const rows = Math.max(1, Math.floor(valuesPerCall / columns))
  if (motion.frames / rows > callsMost) {
    throw new Problem(
      -1,
      'TooLarge',
      'This table is too large to be put together here. Make an export of the capture: it has no such bounds.',
    )
  }
  const parts: Blob[] = []
  for (let from = 0; from < motion.frames; from += rows) {
    const to = Math.min(motion.frames, from + rows)
    const answer = await fetched(
      address('/captures/{captureId}/frames', { path: { captureId: id }, query: { from, to } }),
      {
        headers: { Accept: kind === 'csv' ? 'text/csv' : 'application/vnd.apache.parquet' },
      },
    )
    const part = await answer.blob()
    // The first line names the columns, once is enough.
    parts.push(kind === 'csv' && from > 0 ? part.slice((await firstLine(part)) + 1) : part)
  }
  return parts
}

async function firstLine(part: Blob): Promise<number> {
  return new Uint8Array(await part.slice(0, 1 << 22).arrayBuffer()).indexOf(10)
}

/** save hands bytes to the browser as a file. */
function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
