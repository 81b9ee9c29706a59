// The TypeScript client against the real server, and against one that fails.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ExportJob, Kinebase, KinebaseError } from 'kinebase'
import { expect, inject, test, vi } from 'vitest'
import { framesOf } from '../../clients/typescript/src/frames'
import { trc } from './browser'

const served = inject('served')
const demo = () => new Kinebase({ url: `${served.url}/v1`, token: served.viewer })

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const rows: T[] = []
  for await (const row of list) rows.push(row)
  return rows
}

/** json is an answer of the interface. */
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) => new Response(JSON.stringify(body), { status, headers })

test('lists go through all pages, with the filters they are given', async () => {
  const k = demo()
  const { data } = await k.api.GET('/captures', { params: { query: { limit: 1, activity: 'jump' } } })
  const jumps = await all(k.captures({ activity: 'jump', limit: 2, include: ['file', 'athlete'] }))
  expect(new Set(jumps.map((c) => c.session_id)).size).toBe(data!.total_count)
  expect(jumps.filter((c) => c.activity?.toLowerCase() !== 'jump' || !('file_name' in c))).toEqual([])
  const people = await all(k.athletes({ limit: 2 }))
  expect(new Set(people.map((a) => a.id)).size).toBe(people.length)
  expect(people.length).toBe((await k.api.GET('/athletes')).data!.total_count)
  const jumpers = new Set(jumps.filter((c) => c.file_name && c.athlete_id).map((c) => c.athlete_id!))
  const measured = (await Promise.all([...jumpers].map((id) => all(k.metrics(id, { limit: 1, activity: 'jump' }))))).flat()
  expect(measured.some((c) => typeof c.metrics.jump_height?.value === 'number')).toBe(true)
})

test('frames are columns of numbers, whatever part is asked for', async () => {
  const k = demo()
  const [jump] = await all(k.captures({ activity: 'jump', status: 'completed', limit: 1 }))
  const motion = await k.motion(jump!.session_id)
  const whole = await k.frames(jump!.session_id)
  expect(whole.columns.time!.length).toBe(motion.frames)
  const column = Object.keys(whole.columns).find((name) => name.endsWith('_x'))!
  const part = await k.frames(jump!.session_id, { channels: [column], from: 3, to: 11, every: 4 })
  expect(Object.keys(part.columns).sort()).toEqual([column, 'frame', 'time'].sort())
  expect([...part.columns.frame!]).toEqual([3, 7])
  expect([...part.columns[column]!]).toEqual([3, 7].map((n) => whole.columns[column]![n]))
})

test('long recordings come in parts that are put together without a gap or a row twice', async () => {
  const asked: string[] = []
  const frames = 7
  const k = new Kinebase({
    url: 'http://server/v1',
    token: 't',
    fetch: async (request) => {
      const url = new URL(request.url)
      if (url.pathname.endsWith('/motion')) return json({ frames })
      const q = url.searchParams
      const [from, to, every] = [Number(q.get('from')), Number(q.get('to')), Number(q.get('every') ?? 1)]
      asked.push(`${from}-${to}`)
      const rows = Array.from({ length: frames }, (_, n) => n).filter((n) => n >= from && n < to && (n - from) % every === 0)
      return json({ rate: 100, columns: { a: rows.map((r) => (r === 4 ? null : r)), b: rows } })
    },
  })
  const frame = async (query = {}) => [...(await framesOf(k.api, 's', query, 4)).columns.a!]
  expect(await frame()).toEqual([0, 1, 2, 3, Number.NaN, 5, 6])
  expect(asked).toEqual(['0-1', '1-3', '3-5', '5-7'])
  expect(await frame({ from: 1, every: 3 })).toEqual([1, Number.NaN])
  expect(await frame({ from: 6 })).toEqual([6])
  expect(await frame({ from: 7 })).toEqual([])
  // No row is asked for twice, and none is left out, whatever is asked for.
  for (let from = 0; from <= frames; from++)
    for (let to = from; to <= frames; to++)
      for (let every = 1; every <= 4; every++) {
        asked.length = 0
        const rows = Array.from({ length: frames }, (_, n) => n).filter((n) => n >= from && n < to && (n - from) % every === 0)
        expect(await frame({ from, to, every })).toEqual(rows.map((n) => (n === 4 ? Number.NaN : n)))
        const parts = asked.map((p) => p.split('-').map(Number) as [number, number])
        expect(parts.every(([begin], i) => i === 0 || begin >= parts[i - 1]![1])).toBe(true)
      }
})

test('an export is built and comes as a file', async () => {
  const k = new Kinebase({ url: `${served.url}/v1/`, token: served.token })
  const told: ExportJob[] = []
  const file = await k.export(
    { activity: 'jump', shape: 'captures' },
    { as: 'ndjson', onProgress: (job) => told.push(job) },
  )
  const rows = (await file.text()).trim().split('\n').map((line) => JSON.parse(line) as { activity: string; sessionid: string })
  const jumps = new Set((await all(k.captures({ activity: 'jump', status: 'completed' }))).map((c) => c.session_id))
  expect(rows.filter((r) => !jumps.has(r.sessionid))).toEqual([])
  expect(rows.length).toBe(told.at(-1)!.rowCount)
  expect(rows.length).toBeGreaterThan(1)
  expect(told.at(-1)!.status).toBe('COMPLETED')
  const [one] = jumps
  const alone = await (await k.export({ captures: [one!], shape: 'captures' }, { as: 'ndjson' })).text()
  expect((JSON.parse(alone.trim()) as { sessionid: string }).sessionid).toBe(one)
  await expect(k.export({ metrics: ['no_such_metric'] })).rejects.toThrow(/no_such_metric/)
})

test('a file is sent and read, and one that cannot be read is an error with its reason', async () => {
  const k = new Kinebase({ url: `${served.url}/v1`, token: served.busy })
  const before = (await all(k.changes({ limit: 1000 }))).at(-1)!.cursor
  const id = await k.upload(new File([new Uint8Array(trc(30))], 'swing.trc'), { wait: true, movement_attributes: { activity: 'golf', movement: 'swing' } })
  expect((await k.motion(id)).frames).toBe(30)
  const told = (await all(k.changes({ after: before }))).flatMap((page) => page.changes)
  expect(told.map((c) => c.id)).toContain(id)
  await expect(k.upload(new Blob(['nothing']), { file_name: 'broken.c3d', wait: true })).rejects.toThrow(/C3D/)
  await expect(k.upload(new Blob(['x']), {})).rejects.toThrow(/file_name/)
})

test('a large file goes in pieces, and goes on over a line that breaks', async () => {
  const k = new Kinebase({ url: `${served.url}/v1`, token: served.busy })
  const bytes = new Uint8Array(trc(60_000))
  expect(bytes.length).toBeGreaterThan(1 << 20)
  const line = globalThis.fetch
  let breaks = 3
  const come: number[] = []
  vi.stubGlobal('fetch', async (place: string, init?: RequestInit) => {
    if (init?.method !== 'PATCH' || breaks === 0) return line(place, init)
    breaks--
    const piece = init.body as Blob
    await line(place, { ...init, body: piece.slice(0, Math.floor(piece.size / 2)) })
    throw new TypeError('the line broke')
  })
  try {
    const id = await k.upload(new File([bytes], 'long.trc'), { wait: true, progress: (n) => come.push(n) })
    const kept = await line(`${served.url}/v1/captures/${id}/file`, { headers: { Authorization: `Bearer ${served.busy}` } })
    expect(Buffer.from(await kept.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true)
    expect(breaks).toBe(0)
    expect(come).toEqual([...new Set(come)].sort((a, b) => a - b))
    expect(come.at(-1)).toBe(bytes.length)
  } finally {
    vi.unstubAllGlobals()
  }
})

test('who has the secret of a link reads what it shows, bones included, and nothing else', async () => {
  const k = new Kinebase({ url: `${served.url}/v1`, token: served.busy })
  const id = await k.upload(new File([new Uint8Array(trc(30))], 'shared.trc'), { wait: true })
  const share = await k.shares.create({ captures: [id], name: 'For a visitor' })
  const points = (await k.motion(id)).channels.filter((c) => c.kind === 'point').map((c) => c.name)
  const before = await k.skeletons()
  const bones: [string, string][] = [[points[0]!, points[1]!]]
  await k.api.PUT('/skeletons', { body: { skeletons: [{ name: 'drawn', bones }] } })
  try {
    const visitor = Kinebase.visit(share.secret!, { url: `${served.url}/v1` })
    const shown = await visitor.shared()
    expect(shown.captures.map((c) => c.session_id)).toEqual(['1'])
    expect((await visitor.capture('1')).status).toBe('completed')
    expect((await visitor.motion('1')).frames).toBe(30)
    expect((await visitor.frames('1', { from: 3, to: 5 })).columns.frame).toEqual(Float64Array.from([3, 4]))
    expect((await visitor.skeletons()).map((s) => s.bones)).toEqual([bones])
    await expect(visitor.capture('2')).rejects.toMatchObject({ status: 404 })
    expect((await k.shares.list()).find((s) => s.id === share.id)?.uses).toBe(1)
  } finally {
    await k.api.PUT('/skeletons', { body: { skeletons: before } })
    await k.shares.delete(share.id)
  }
  await expect(Kinebase.visit(share.secret!, { url: `${served.url}/v1` }).shared()).rejects.toMatchObject({ status: 404 })
})

test('what goes wrong is told in the words of the server', async () => {
  const error = await demo().capture('no such capture').catch((e: unknown) => e)
  expect(error).toBeInstanceOf(KinebaseError)
  expect(error).toMatchObject({ status: 404, code: 'NotFound', message: expect.stringContaining('capture'), requestId: expect.stringMatching(/./) })
  expect(() => new Kinebase({ url: 'http://server/v1', token: '' })).toThrow(/KINEBASE_TOKEN/)
})

test('what is safe is tried again, with one key, for as long as the server says', async () => {
  const keys: (string | null)[] = []
  const waits: number[] = []
  let left = 2
  const answers = (status: number, headers: Record<string, string>) =>
    new Kinebase({
      url: 'http://server/v1',
      token: 't',
      sleep: async (ms) => void waits.push(ms),
      fetch: async (request) => {
        keys.push(request.headers.get('Idempotency-Key'))
        expect(request.headers.get('Authorization')).toBe('Bearer t')
        if (left-- > 0) {
          if (status === 0) throw new TypeError('connection reset')
          return json({ error: 'ServiceUnavailable', message: 'busy' }, status, headers)
        }
        return json({ jobId: 'J', status: 'RUNNING', createdAt: '2026-01-01T00:00:00Z' })
      },
    })
  await answers(503, { 'Retry-After': '7' }).api.POST('/data/export', { body: {} })
  expect(keys.length).toBe(3)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/./)
  expect(waits).toEqual([7000, 7000])
  left = 1
  await answers(0, {}).capture('s')
  left = 1
  await expect(answers(429, { 'Retry-After': '3600' }).capture('s')).rejects.toMatchObject({ status: 429 })
  left = 100
  await expect(answers(0, {}).capture('s')).rejects.toMatchObject({ status: 0, message: 'no answer from http://server' })
  expect(left).toBe(94)
  left = 1
  await expect(answers(400, {}).capture('s')).rejects.toMatchObject({ status: 400 })
})

test('the package works as npm installs it', async () => {
  const root = new URL('../..', import.meta.url).pathname
  const folder = mkdtempSync(join(tmpdir(), 'kinebase-client-'))
  try {
    execFileSync('scripts/typescript', [folder], { cwd: root, stdio: 'ignore' })
    const own = join(folder, 'node_modules', 'kinebase')
    mkdirSync(own, { recursive: true })
    execFileSync('tar', ['xzf', join(folder, 'kinebase-0.1.0.tgz'), '--strip-components=1', '-C', own])
    symlinkSync(join(root, 'web/node_modules/openapi-fetch'), join(folder, 'node_modules', 'openapi-fetch'))
    writeFileSync(join(folder, 'first.mjs'), "import { Kinebase } from 'kinebase'\nfor await (const c of new Kinebase().captures({ limit: 1 })) {\n  console.log(c.session_id)\n  break\n}\n")
    const env = { ...process.env, KINEBASE_URL: `${served.url}/v1`, KINEBASE_TOKEN: served.viewer }
    const { data } = await demo().api.GET('/captures', { params: { query: { limit: 1 } } })
    const said = execFileSync(process.execPath, ['first.mjs'], { cwd: folder, env, encoding: 'utf8' })
    expect(said.trim()).toBe(data!.captures[0]!.session_id)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('writes have a key of their own also in a page that came by http, where browsers make no UUIDs', async () => {
  const real = crypto
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => real.getRandomValues(bytes) })
  try {
    const keys: string[] = []
    const k = new Kinebase({ url: 'http://kinebase.lab/v1', token: 'kb_x', fetch: (r) => { keys.push(r.headers.get('Idempotency-Key') ?? ''); return Promise.resolve(json({ jobId: 'x' })) } })
    for (let n = 0; n < 2; n++) await k.api.POST('/data/export', { body: {} })
    expect(new Set(keys).size).toBe(2)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
  } finally {
    vi.unstubAllGlobals()
  }
})

test('an error says whether it may pass, and when it is worth trying again', async () => {
  const k = (status: number, after: string) => new Kinebase({ url: 'http://kinebase.lab/v1', token: 'kb_x', retries: 0, fetch: () => Promise.resolve(json({ error: 'E', message: 'Not now.' }, status, { 'Retry-After': after })) })
  await expect(k(503, '120').capture('x')).rejects.toMatchObject({ message: 'Not now.', passing: true, retryAfter: 120 })
  await expect(k(404, '').capture('x')).rejects.toMatchObject({ passing: false, retryAfter: null })
})
