// Reading what is compared: of each capture what it holds, and of its numbers the columns that are asked for alone.

import { useEffect, useRef, useState } from 'preact/hooks'
import { inTurn } from '../../api/in-turn'
import { Problem } from '../../api/problem'
import { useMay } from '../../api/session'
import { escapeName } from '../capture/data/binary'
import { valuesPerCall } from '../capture/data/plan'
import { framesOf } from '../capture/frames'
import { readTrial, type Trial } from './trial'

/** More at a time would only wait for each other in the server. */
const atATime = 6

/** Answers that come within so many milliseconds are shown together. */
const gather = 200

/** Numbers is rows of a recording: their times, and the columns that were asked for. NaN is what is missing or not known. */
export interface Numbers {
  time: Float64Array
  columns: Map<string, Float64Array>
}

/** Found is what has been read so far, in the order in which it was asked for. */
export interface Found<T> {
  of: Map<string, T>
  problems: Map<string, Problem>
  /** How many of those that are wanted have been read, or could not be. */
  done: number
  complete: boolean
}

/** useEach reads something of each id, once; what it has read before it keeps. What failed is read again with again. */
function useEach<T>(
  wanted: readonly { id: string; key: string }[],
  ask: (id: string, signal: AbortSignal, before: T | undefined) => Promise<T>,
): Found<T> & { again: () => void } {
  const kept = useRef(new Map<string, { key: string; value: T }>())
  const problems = useRef(new Map<string, { key: string; problem: Problem }>())
  const asking = useRef(ask)
  asking.current = ask
  const [, draw] = useState(0)
  const [round, again] = useState(0)
  const all = JSON.stringify(wanted)
  useEffect(() => {
    const stop = new AbortController()
    const left = wanted.filter((w) => kept.current.get(w.id)?.key !== w.key)
    for (const w of left) problems.current.delete(w.id)
    // To draw the page for each of forty answers would take longer than the answers.
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        draw((n) => n + 1)
      }, gather)
    }
    void inTurn(
      left,
      atATime,
      async ({ id, key }) => {
        try {
          const value = await asking.current(id, stop.signal, kept.current.get(id)?.value)
          if (!stop.signal.aborted) kept.current.set(id, { key, value })
        } catch (thrown) {
          if (!stop.signal.aborted) problems.current.set(id, { key, problem: Problem.from(thrown) })
        }
        if (!stop.signal.aborted) soon()
      },
      stop.signal,
    ).then(() => {
      clearTimeout(timer)
      if (!stop.signal.aborted) draw((n) => n + 1)
    })
    draw((n) => n + 1)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [all, round])
  const of = new Map<string, T>()
  const failed = new Map<string, Problem>()
  for (const { id, key } of wanted) {
    const [good, bad] = [kept.current.get(id), problems.current.get(id)]
    if (good?.key === key) of.set(id, good.value)
    else if (bad?.key === key) failed.set(id, bad.problem)
  }
  const done = of.size + failed.size
  return { of, problems: failed, done, complete: done === wanted.length, again: () => again((n) => n + 1) }
}

/** useTrials reads what captures hold. */
export function useTrials(ids: readonly string[]): Found<Trial> & { again: () => void } {
  const may = useMay()
  return useEach<Trial>(
    ids.map((id) => ({ id, key: id })),
    (id, signal) => readTrial(id, may('athletes:read'), signal),
  )
}

/** useNumbers reads columns of captures; each capture is asked for those that it has, in one call where they fit in it. */
export function useNumbers(
  trials: readonly Trial[],
  columns: readonly string[],
): Found<Numbers> & { again: () => void } {
  const wanted = trials.map((t) => {
    const has = new Set(t.channels.flatMap((c) => c.columns))
    return { id: t.id, key: JSON.stringify(columns.filter((c) => has.has(c))), rows: t.motion.frames }
  })
  const rows = new Map(wanted.map((w) => [w.id, w.rows]))
  return useEach<Numbers>(
    wanted.map(({ id, key }) => ({ id, key })),
    async (id, signal, before) => {
      const names = JSON.parse(wanted.find((w) => w.id === id)!.key) as string[]
      const numbers: Numbers = before ?? { time: new Float64Array(0), columns: new Map() }
      const missing = names.filter((n) => !numbers.columns.has(n))
      if (missing.length === 0) return numbers
      const more = await readColumns(id, missing, rows.get(id)!, signal)
      return { time: more.time, columns: new Map([...numbers.columns, ...more.columns]) }
    },
  )
}

/**
 * readColumns asks for columns as JSON: its numbers are the decimals that the CSV has, where the columns of 32 bits of
 * the binary form differ from them behind the seventh digit.
 */
export async function readColumns(id: string, names: string[], rows: number, signal: AbortSignal): Promise<Numbers> {
  const fetch = framesOf(id)
  const most = Math.max(1, Math.floor(valuesPerCall / names.length))
  const found: Numbers = {
    time: new Float64Array(rows).fill(NaN),
    columns: new Map(names.map((n) => [n, new Float64Array(rows).fill(NaN)])),
  }
  const channels = encodeURIComponent(names.map(escapeName).join(','))
  for (let from = 0; from < rows; from += most) {
    const query = `from=${from}&to=${Math.min(rows, from + most)}&channels=${channels}`
    const body = new TextDecoder().decode(await fetch(query, 'application/json', signal))
    const part = JSON.parse(body) as { columns: Record<string, (number | null)[]> }
    const put = (to: Float64Array, name: string) => part.columns[name]?.forEach((v, i) => (to[from + i] = v ?? NaN))
    put(found.time, 'time')
    for (const name of names) put(found.columns.get(name)!, name)
  }
  return found
}
