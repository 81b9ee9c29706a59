// What the stretch of time that a plot shows says in numbers.

import { useEffect, useState } from 'preact/hooks'
import { reading, type Reading as Read } from '../../../curves/course'
import { count } from '../../../ui/text'
import { decimals } from '../data/decimal'
import type { Channel } from '../types'
import { told } from '../words'
import type { Courses } from './chart'
import { shortName } from './looks'
import type { Range } from './range'

interface Props {
  channel: Channel
  courses: Courses | null
  range: Range
  hidden: ReadonlySet<number>
}

/** Fingers that zoom tell a new stretch with every frame: it is read when they rest, in milliseconds. */
const rest = 120

/** Reading is a table of the least and the greatest value, mean and range of each course that is shown. */
export function Reading({ channel, courses, range: [from, to], hidden }: Props) {
  const [read, set] = useState<(Read | null)[]>([])
  useEffect(() => {
    if (!courses) return
    const look = () =>
      set(courses.columns.map((c) => reading({ time: courses.time, values: decimals(c) }, { from, to })))
    const timer = setTimeout(look, rest)
    return () => clearTimeout(timer)
  }, [courses, from, to])
  const rows = channel.columns.flatMap((column, i) => {
    const r = read[i]
    return hidden.has(i) || r === undefined ? [] : [{ column, r }]
  })
  return (
    <table class="reading small" aria-label={`${channel.name} in the time shown`}>
      <thead>
        <tr>
          {['', 'Minimum', 'Maximum', 'Mean', 'Range', 'Samples', 'Missing'].map((name) =>
            name ? (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ) : (
              <td key="name" />
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ column, r }) => (
          <tr key={column}>
            <th scope="row" dir="auto">
              {shortName(channel, column)}
            </th>
            {(['min', 'max', 'mean', 'range'] as const).map((kind) => (
              <td key={kind} class="number mono">
                {r ? told(r[kind]) : '–'}
              </td>
            ))}
            <td class="number mono">{count(r?.samples ?? 0)}</td>
            <td class={`number mono ${r?.missing ? 'much' : ''}`}>{r ? count(r.missing) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
