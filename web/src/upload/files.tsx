// The files that were chosen: one is a line; of several each is a row with values of its own.

import { useEffect, useState } from 'preact/hooks'
import { useNames } from '../api/athletes'
import { activities, movementsOf } from '../labels'
import { Field } from '../ui/field'
import { localOf } from '../ui/moment'
import { Suggest } from '../ui/suggest'
import { bytes, count, time } from '../ui/text'
import { Athletes } from './athletes'
import { mark, pathOf } from './kinds'
import { open, type Own } from './own'
import type { Said } from './queue'

/** How many rows are drawn: each has fields of its own. */
const shown = 20

interface Props {
  files: readonly File[]
  all: Own
  own: ReadonlyMap<File, Own>
  onOwn: (file: File, own: Own) => void
  leave: (file: File) => void
  /** Whether athletes can be chosen. */
  athletes: boolean
  /** The files of one recording that is made of several; null when each is one of its own. */
  together: readonly File[] | null
  /** What is said of all of these; null when their rows differ: the values for all files count for them. */
  shared: Said | null
}

/** One is a single file. */
export function One({ file, leave }: { file: File; leave: (file: File) => void }) {
  return (
    <ul class="files">
      <li>
        <span class="name" dir="auto">
          {file.name}
        </span>
        <span class="quiet small">{bytes(file.size)}</span>
        <LeaveOut name={file.name} leave={() => leave(file)} />
      </li>
    </ul>
  )
}

/** Several is a table of files, a page of it at a time. */
export function Several({ files, all, own, onOwn, leave, athletes, together, shared }: Props) {
  const [from, setFrom] = useState(0)
  const last = Math.floor((files.length - 1) / shown) * shown
  useEffect(() => setFrom((at) => Math.min(at, last)), [last])
  const now = localOf(new Date().toISOString()).slice(0, 16)
  const page = files.slice(from, from + shown)
  return (
    <section class="stack tight each" aria-labelledby="upload-each">
      <h3 id="upload-each">Each file</h3>
      <p class="quiet small">An empty field takes the value for all files.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">File</th>
            {athletes && <th scope="col">Athlete</th>}
            <th scope="col">Activity</th>
            <th scope="col">Movement</th>
            <th scope="col">Recorded</th>
            <td class="out" />
          </tr>
        </thead>
        <tbody>
          {page.map((f) => (
            <Row
              key={mark(f)}
              file={f}
              all={all}
              own={own.get(f) ?? open}
              onOwn={(o) => onOwn(f, o)}
              leave={() => leave(f)}
              athletes={athletes}
              together={together?.includes(f) ? { said: shared } : null}
              now={now}
            />
          ))}
        </tbody>
      </table>
      {files.length > shown && (
        <nav class="pager" aria-label="Pages of files">
          <span role="status">
            {count(from + 1)}–{count(from + page.length)} of {count(files.length)}
          </span>
          <Turn text="«" label="First page" can={from > 0} turn={() => setFrom(0)} />
          <Turn text="‹" label="Previous page" can={from > 0} turn={() => setFrom(from - shown)} />
          <Turn text="›" label="Next page" can={from < last} turn={() => setFrom(from + shown)} />
          <Turn text="»" label="Last page" can={from < last} turn={() => setFrom(last)} />
        </nav>
      )}
    </section>
  )
}

interface RowProps {
  file: File
  all: Own
  own: Own
  onOwn: (own: Own) => void
  leave: () => void
  athletes: boolean
  together: { said: Said | null } | null
  now: string
}

function Row({ file, all, own, onOwn, leave, athletes, together, now }: RowProps) {
  const path = pathOf(file)
  const folder = path.slice(0, -file.name.length).replace(/\/$/, '')
  const more = Object.entries(own.dimensions)
  const set = (some: Partial<Own>) => onOwn({ ...own, ...some })
  return (
    <tr>
      <th scope="row">
        <span class="name" dir="auto">
          {file.name}
        </span>
        <span class="quiet small">
          {folder && <span dir="auto">{folder}, </span>}
          {bytes(file.size)}
          {more.map(([name, v]) => `, ${name.replaceAll('_', ' ')} ${v}`)}
        </span>
      </th>
      {together ? (
        <td class="quiet small" colSpan={athletes ? 4 : 3}>
          <Shared said={together.said} athletes={athletes} nobody={all.athletes.length > 0} />
        </td>
      ) : (
        <>
          {athletes && (
            <td data-label="Athlete">
              <Athletes
                ids={own.athletes}
                onIds={(ids) => set({ athletes: ids, nobody: false })}
                of={path}
                empty={all.athletes.length > 0 && !own.nobody ? 'As for all' : 'Nobody'}
                nobody={own.nobody}
                onNobody={all.athletes.length > 0 || own.nobody ? (nobody) => set({ athletes: [], nobody }) : undefined}
              />
            </td>
          )}
          <td data-label="Activity">
            <Suggest
              label={`Activity of ${path}`}
              hideLabel
              placeholder={all.activity.trim() || 'None'}
              value={own.activity}
              options={activities}
              onValue={(activity) => set({ activity })}
            />
          </td>
          <td data-label="Movement">
            <Suggest
              label={`Movement of ${path}`}
              hideLabel
              placeholder={all.movement.trim() || 'None'}
              value={own.movement}
              options={movementsOf(own.activity.trim() || all.activity)}
              onValue={(movement) => set({ movement })}
            />
          </td>
          <td data-label="Recorded">
            <Field
              label={`Recording date of ${path}`}
              hideLabel
              type="datetime-local"
              value={own.recorded}
              max={now}
              step="any"
              onInput={(e) => set({ recorded: e.currentTarget.value, moment: '' })}
            />
          </td>
        </>
      )}
      <td class="out">
        <LeaveOut name={path} leave={leave} />
      </td>
    </tr>
  )
}

/**
 * Shared says which values count for a recording that is made of several files. nobody is whether it says so where nobody
 * moves in it, for somebody moves in all files.
 */
function Shared({ said, athletes, nobody }: { said: Said | null; athletes: boolean; nobody: boolean }) {
  const names = useNames(said?.athletes ?? [], athletes)
  if (!said) return <>As for all files: one recording is made of the videos.</>
  const values = [
    ...(nobody && said.athletes.length === 0 ? ['nobody'] : []),
    ...said.athletes.map((id) => names.get(id) ?? `${id.slice(0, 8)}…`),
    ...Object.values(said.attributes).filter((v) => v),
    ...(said.recorded ? [time(said.recorded)] : []),
  ]
  return (
    <>
      One recording is made of the videos
      {values.length > 0 && (
        <>
          : <span dir="auto">{values.join(', ')}</span>
        </>
      )}
      .
    </>
  )
}

function LeaveOut({ name, leave }: { name: string; leave: () => void }) {
  return (
    <button type="button" class="close" aria-label={`Leave out ${name}`} onClick={leave}>
      ×
    </button>
  )
}

/** Turn leads to another page. One that leads nowhere any more keeps the focus. */
function Turn({ text, label, can, turn }: { text: string; label: string; can: boolean; turn: () => void }) {
  return (
    <button
      type="button"
      class={`button${can ? '' : ' off'}`}
      aria-label={label}
      aria-disabled={!can}
      onClick={() => can && turn()}
    >
      {text}
    </button>
  )
}
