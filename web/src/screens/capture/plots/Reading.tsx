// What the stretch of time that a plot shows says in numbers.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { reading, type Reading as Read } from '../../../curves/course'
import { count } from '../../../ui/text'
import { decimals } from '../data/decimal'
import type { Player } from '../player'
import type { Channel } from '../types'
import { told } from '../words'
import type { Courses } from './chart'
import { heldAt } from './courses'
import { shortName } from './looks'
import type { Range } from './range'

interface Props {
  channel: Channel
  courses: Courses | null
  player: Player
  range: Range
  hidden: ReadonlySet<number>
}

/** Fingers that zoom tell a new stretch with every frame: it is read when they rest, in milliseconds. */
const rest = 120
/** How often a value at the cursor is written while the recording plays, in milliseconds: nobody reads faster. */
const pace = 100

/**
 * Reading is a table of the least and the greatest value, mean, range and the value at the cursor of each course that
 * is shown.
 */
export function Reading({ channel, courses, player, range: [from, to], hidden }: Props) {
  const [read, set] = useState<(Read | null)[]>([])
  useEffect(() => {
    if (!courses) return
    const look = () =>
      set(courses.columns.map((c) => reading({ time: courses.time, values: decimals(c) }, { from, to })))
    const timer = setTimeout(look, rest)
    return () => clearTimeout(timer)
  }, [courses, from, to])
  const cells = useRef<(HTMLElement | null)[]>([])
  // The playhead writes into the cells by itself: nothing is rendered and no size is read for it.
  useLayoutEffect(() => {
    let written = 0
    const write = () => {
      const now = performance.now()
      if (player.playing && now - written < pace) return
      written = now
      const at = courses ? heldAt(courses, player.timeOf(player.row)) : -1
      cells.current.forEach((cell, i) => {
        if (cell) cell.textContent = at < 0 ? '–' : told(courses?.columns[i]?.[at] ?? NaN)
      })
    }
    write()
    const off = [player.onRow(write), player.onChange(write)]
    return () => off.forEach((f) => f())
  }, [player, courses, hidden, read])
  const rows = channel.columns.flatMap((column, i) => {
    const r = read[i]
    return hidden.has(i) || r === undefined ? [] : [{ column, r, i }]
  })
  return (
    <table class="reading small" aria-label={`${channel.name} in the time shown`}>
      <thead>
        <tr>
          {['', 'Minimum', 'Maximum', 'Mean', 'Range', 'At cursor', 'Samples', 'Missing'].map((name) =>
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
        {rows.map(({ column, r, i }) => (
          <tr key={column}>
            <th scope="row" dir="auto">
              {shortName(channel, column)}
            </th>
            {(['min', 'max', 'mean', 'range'] as const).map((kind) => (
              <td key={kind} class="number mono">
                {r ? told(r[kind]) : '–'}
              </td>
            ))}
            <td
              ref={(e) => {
                cells.current[i] = e
              }}
              class="number mono cursor"
            />
            <td class="number mono">{count(r?.samples ?? 0)}</td>
            <td class={`number mono ${r?.missing ? 'much' : ''}`}>{r ? count(r.missing) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
