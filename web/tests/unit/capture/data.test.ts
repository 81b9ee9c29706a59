import { describe, expect, it } from 'vitest'

import { escapeName, parsePart } from '../../../src/screens/capture/data/binary'
import { lowerBound } from '../../../src/curves/sorted'
import { decimate, lone } from '../../../src/screens/capture/data/decimate'
import { load } from '../../../src/screens/capture/data/load'
import { plan, valuesHeld, valuesPerCall } from '../../../src/screens/capture/data/plan'
import { dull } from '../../../src/screens/capture/plots/courses'
import { Store } from '../../../src/screens/capture/data/store'

/** An answer with value(row, column) at its places; the head has the wide columns in full. */
function answer(names: string[], from: number, to: number, every: number, value: (row: number, column: number) => number, wide: number[] = []): ArrayBuffer {
  const rows = Math.ceil((to - from) / every)
  const full = wide.map((c) => [names[c], Array.from({ length: rows }, (_, r) => value(from + r * every, c))])
  let head = JSON.stringify({ session_id: 's', rate: 100, from, to, every, frames: rows, columns: names, ...(full.length > 0 ? { wide: Object.fromEntries(full) } : {}) })
  head = head.padEnd(Math.ceil(head.length / 8) * 8)
  const body = new ArrayBuffer(8 + head.length + rows * (8 + 4 * names.length + 4))
  new Uint8Array(body).set(new TextEncoder().encode('KBF1'))
  const view = new DataView(body)
  view.setUint32(4, head.length, true)
  new Uint8Array(body).set(new TextEncoder().encode(head), 8)
  let at = 8 + head.length
  for (let r = 0; r < rows; r++, at += 8) view.setFloat64(at, (from + r * every) / 100, true)
  for (let c = 0; c < names.length; c++) for (let r = 0; r < rows; r++, at += 4) view.setFloat32(at, value(from + r * every, c), true)
  return body
}

describe('an answer', () => {
  it('is read where it lies', () => {
    const part = parsePart(answer(['a', 'b'], 10, 16, 2, (row, column) => (row === 12 ? NaN : row * 10 + column)))
    expect(part).toMatchObject({ from: 10, to: 16, every: 2, rows: 3, names: ['a', 'b'], rate: 100 })
    expect([...part.time]).toEqual([0.1, 0.12, 0.14])
    expect([...part.columns[1]!]).toEqual([101, NaN, 141])
  })

  it('that was cut short, or is something else, is refused', () => {
    const body = answer(['a'], 0, 4, 1, () => 1)
    expect(() => parsePart(body.slice(0, body.byteLength - 4))).toThrow(/cut short/)
    expect(() => parsePart(new TextEncoder().encode('{"error":"x"}').buffer)).toThrow(/other than frames/)
  })
})

it('numbers that 32 bits cannot hold keep all of their digits, in parts and in what is loaded of them', async () => {
  const clock = (row: number) => (row === 7 ? NaN : 1_778_664_600_123 + row) // null in the head where it is missing
  const value = (row: number, column: number) => (column === 0 ? clock(row) : row / 3)
  const part = parsePart(answer(['clock', 'b'], 0, 9, 1, value, [0]))
  expect(part.columns.map((c) => c.constructor)).toEqual([Float64Array, Float32Array])
  expect([...part.columns[0]!]).toEqual(Array.from({ length: 9 }, (_, row) => clock(row)))
  expect(part.columns[1]![1]).toBe(Math.fround(1 / 3))
  const store = await load(
    (query) => {
      const q = new URLSearchParams(query)
      return Promise.resolve(answer(['clock', 'b'], Number(q.get('from')), Number(q.get('to')), Number(q.get('every')), value, [0]))
    },
    { names: ['clock', 'b'], everything: true, rows: 400_001, samples: false },
    new AbortController().signal,
    () => {},
  )
  expect(store.complete).toBe(true)
  expect(store.course('clock').values[400_000]).toBe(clock(400_000))
  expect(store.columns[0]!.every((v, row) => Object.is(v, clock(row)))).toBe(true)
  expect(store.columns[1]).toBeInstanceOf(Float32Array)
})

it('names are escaped for the channels parameter', () => {
  expect(escapeName('Fz,1*\\ x')).toBe('Fz\\,1\\*\\\\ x')
  expect(escapeName(' a ')).toBe('\\ a\\ ')
})

describe('a plan', () => {
  it.each([
    [1, 1],
    [10_000, 300],
    [1_000_000, 3],
    [123_457, 301],
    [2_000_000, 300],
  ])('of %i rows of %i columns covers every held row once, within what a call gives', (rows, columns) => {
    const p = plan(rows, columns)
    expect(Math.ceil(rows / p.stride) * columns).toBeLessThanOrEqual(valuesHeld + columns)
    let next = 0
    for (const call of p.calls) {
      expect(call.from).toBe(next)
      expect(call.every).toBe(p.stride)
      expect(Math.ceil((call.to - call.from) / call.every) * columns).toBeLessThanOrEqual(valuesPerCall)
      next = call.to
    }
    expect(next).toBe(rows)
    if (p.coarse) expect(p.coarse.every % p.stride).toBe(0)
  })
})

it('all rows come, a coarse look first', async () => {
  const rows = 50_001
  const names = Array.from({ length: 100 }, (_, i) => `c${i}`)
  const asked: string[] = []
  const seen: boolean[] = []
  const store = await load(
    (query) => {
      asked.push(query)
      const q = new URLSearchParams(query)
      return Promise.resolve(answer(names, Number(q.get('from')), Number(q.get('to')), Number(q.get('every')), (row, column) => row + column))
    },
    { names, everything: true, rows, samples: false },
    new AbortController().signal,
    (s) => seen.push(s.complete),
  )
  expect(asked[0]).toContain('every=34')
  expect(asked.length).toBe(7)
  expect(seen[0]).toBe(false)
  expect(store.complete).toBe(true)
  expect(store.columns[99]![50_000]).toBe(50_099)
  expect(store.time[50_000]).toBe(500)
})

it('the rest of a long recording waits until the first look is shown', async () => {
  const asked: string[] = []
  let shown = () => {}
  let first = () => {}
  const looked = new Promise<void>((go) => { first = go })
  const loading = load(
    (query) => {
      asked.push(query)
      const q = new URLSearchParams(query)
      return Promise.resolve(answer(['a', 'b'], Number(q.get('from')), Number(q.get('to')), Number(q.get('every')), (row) => row))
    },
    { names: ['a', 'b'], everything: true, rows: 1_000_000, samples: false },
    new AbortController().signal,
    first,
    new Promise<void>((go) => { shown = go }),
  )
  await looked
  await Promise.resolve()
  expect(asked.length).toBe(1)
  shown()
  expect((await loading).complete).toBe(true)
  expect(asked.length).toBe(3)
})

it('until all is there the nearest row that is there stands for the others', () => {
  const store = new Store(['a'], 10, 1)
  expect(store.nearest(5)).toBe(-1)
  store.add(parsePart(answer(['a'], 0, 10, 4, (row) => row)))
  expect([0, 3, 4, 7, 9].map((row) => store.nearest(row))).toEqual([0, 0, 4, 4, 8])
  expect([...store.course('a').values]).toEqual([0, 4, 8])
  store.add(parsePart(answer(['a'], 0, 10, 1, (row) => row)))
  expect(store.nearest(7)).toBe(7)
})

describe('a long course', () => {
  const time = Float64Array.from({ length: 100_000 }, (_, i) => i / 100)
  const values = Float32Array.from({ length: 100_000 }, (_, i) => Math.sin(i / 1000))
  values[54_321] = 99
  values[54_322] = -99

  it('keeps its peaks, and all courses have the same times', () => {
    const c = decimate(time, [values, time], 0, 1000, 500)
    expect(c.x.length).toBe(1000)
    expect(c.y[0]).toContain(99)
    expect(c.y[0]).toContain(-99)
    expect(c.y.map((y) => y.length)).toEqual([1000, 1000])
    expect(c.x.every((x, i) => i === 0 || x > c.x[i - 1]!)).toBe(true)
  })

  it('is exact where few samples are seen, one more on either side', () => {
    const c = decimate(time, [values], 10, 10.05, 500)
    expect(c.x[0]).toBe(9.99)
    expect(c.x).toContain(10)
    expect(c.x.at(-1)).toBeGreaterThan(10.05)
    expect(c.y[0]![1]).toBe(values[1000])
  })

  it('has gaps where something is missing', () => {
    const holes = values.slice().fill(NaN, 20_000, 40_000)
    const c = decimate(time, [holes], 0, 1000, 100)
    expect(c.y[0]!.filter((y) => y === null).length).toBeGreaterThan(30)
    expect(decimate(time, [holes], 199.98, 200.02, 100).y[0]).toContain(null)
  })

  it('tells the values that stand alone, which no line shows', () => {
    expect(lone([null, 1, null, 2, 3, null, 0])).toEqual([1, 6])
    expect(lone([5])).toEqual([0])
    expect(lone([null, null])).toEqual([])
    expect(lone([1, 2])).toEqual([])
  })

  it('of nothing is empty', () => {
    expect(decimate(new Float64Array(0), [new Float32Array(0)], 0, 1, 10)).toEqual({ x: [], y: [[]] })
  })
})

it('of slow channels among fast ones only the rows are asked for that they have', async () => {
  const asked: string[] = []
  const store = await load(
    (query) => {
      asked.push(query)
      return Promise.resolve(answer(['a'], 0, 100, 5, (row) => row))
    },
    { names: ['a'], everything: false, rows: 100, samples: true, step: 5 },
    new AbortController().signal,
    () => {},
  )
  expect(asked).toEqual(['from=0&to=100&every=5&rows=samples&channels=a'])
  expect([store.kept, store.columns[0]![19], store.complete]).toEqual([20, 95, true])
})

it('places in times are found', () => {
  expect([-1, 0, 0.5, 2, 3].map((t) => lowerBound([0, 1, 2], t))).toEqual([0, 0, 1, 2, 3])
})

describe('courses of a channel', () => {
  const of = (...columns: number[][]) => dull({ time: Float64Array.from([0, 1, 2]), columns: columns.map((c) => Float32Array.from(c)) })

  it('that are 0 or missing all the time are left out at first', () => {
    expect(of([1, 2, 3], [0, 0, 0], [NaN, 0, NaN])).toEqual([1, 2])
    expect(of([0, 0, 0.5], [NaN, 4, NaN], [-1, 0, 0])).toEqual([])
  })

  it('are all shown where all of them are so', () => {
    expect(of([0, 0, 0], [NaN, NaN, NaN])).toEqual([])
  })
})
