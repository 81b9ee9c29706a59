// Files on their way to the server: each is reserved, sent, and watched until it
// has been read. A few go at a time.
import { newKey } from '../api/key'
import { Problem } from '../api/problem'
import { address, get, send, signedOut } from '../api/request'

export type Stage = 'waiting' | 'sending' | 'reading' | 'done' | 'failed' | 'canceled'

/** Item is one file. */
export interface Item {
  readonly id: number
  readonly file: File
  stage: Stage
  /** How much of the file has been sent, 0 to 1. */
  sent: number
  /** The capture, once it is reserved. */
  session: string | null
  /** What is wrong, when it failed. */
  why: string
}

/** What is said of all files of one upload. */
export interface Said {
  athlete: string
  attributes: Record<string, string | null>
}

const atOnce = 3
/** How often a file is tried again by itself for a passing reason. */
const tries = 3
const watchEvery = 1_500

/** The endings of files that are read. */
export const kinds = ['.c3d', '.trc', '.mot', '.sto', '.bvh', '.csv', '.mov', '.mp4']

/** unfit says why a file is not sent at all; "" when it is. */
export function unfit(f: File, most: number): string {
  if (f.name === 'kinebase.csv') return 'The table of a folder is for the import on the command line.'
  if (!kinds.some((k) => f.name.toLowerCase().endsWith(k))) return 'Not a kind of file that is read.'
  if (f.size === 0) return 'The file is empty.'
  return f.size > most ? 'Larger than this server takes.' : ''
}

/** Queue sends files; told is called whenever something about one has changed. */
export class Queue {
  readonly items: Item[] = []
  private readonly said: Said
  private readonly most: number
  private readonly told: () => void
  private readonly stops = new Map<Item, AbortController>()
  private running = 0
  private last = 0

  constructor(said: Said, most: number, told: () => void) {
    this.said = said
    this.most = most
    this.told = told
  }

  add(files: File[]): void {
    for (const file of files) this.items.push({ id: ++this.last, file, stage: 'waiting', sent: 0, session: null, why: '' })
    this.next()
  }

  retry(item: Item): void {
    Object.assign(item, { stage: 'waiting', sent: 0, why: '' })
    this.next()
  }

  cancel(item: Item): void {
    this.stops.get(item)?.abort()
    this.to(item, 'canceled')
  }

  /** stop ends everything that is not sent yet. */
  stop(): void {
    for (const item of this.items) if (item.stage === 'waiting' || item.stage === 'sending') this.cancel(item)
  }

  /** busy says whether closing would lose something. */
  get busy(): boolean {
    return this.items.some((i) => i.stage === 'waiting' || i.stage === 'sending')
  }

  private to(item: Item, stage: Stage, why = ''): void {
    item.stage = stage
    item.why = why
    this.told()
  }

  private next(): void {
    this.told()
    while (this.running < atOnce) {
      const item = this.items.find((i) => i.stage === 'waiting')
      if (!item) return
      this.running++
      this.to(item, 'sending')
      const stop = new AbortController()
      this.stops.set(item, stop)
      void this.bring(item, stop.signal)
        .catch((thrown: unknown) => {
          if (item.stage !== 'canceled') this.to(item, 'failed', Problem.of(thrown).message)
        })
        .finally(() => {
          this.stops.delete(item)
          this.running--
          this.next()
        })
    }
  }

  private async bring(item: Item, stop: AbortSignal): Promise<void> {
    const why = unfit(item.file, this.most)
    if (why) throw new Problem(-1, 'Unfit', why)
    const key = newKey()
    for (let n = 1; ; n++) {
      try {
        if (item.session === null) await this.reserve(item, key, stop)
        await sendFile(item, stop, this.told)
        break
      } catch (thrown) {
        const problem = Problem.of(thrown)
        // Of an earlier try only the answer was lost: the file is there.
        if (problem.status === 409 && !stop.aborted && await this.has(item)) break
        if (stop.aborted || !problem.passing || n >= tries) {
          // A place whose file cannot come any more is given back.
          if (problem.status === 404 || problem.status === 403 || problem.status === 409) item.session = null
          throw problem
        }
        await pause((problem.retryAfter ?? 2 ** n) * 1000, stop)
      }
    }
    this.to(item, 'reading')
    void this.watch(item)
  }

  private async reserve(item: Item, key: string, signal: AbortSignal): Promise<void> {
    const said = Object.fromEntries(Object.entries(this.said.attributes).filter(([, v]) => v !== null))
    const place = await send('post', '/captures', {
      signal, key,
      body: {
        file_name: item.file.name,
        ...(this.said.athlete ? { athlete_id: this.said.athlete } : {}),
        ...(Object.keys(said).length > 0 ? { movement_attributes: said } : {}),
      },
    })
    item.session = place.session_id
  }

  /** has says whether the server has the file already. */
  private async has(item: Item): Promise<boolean> {
    if (item.session === null) return false
    const { status } = await get('/captures/{captureId}', { path: { captureId: item.session } })
    return status !== 'awaiting_upload'
  }

  /** watch looks after a file that was sent until it has been read. */
  private async watch(item: Item): Promise<void> {
    const never = new AbortController().signal
    while (item.stage === 'reading' && item.session !== null) {
      await pause(watchEvery, never)
      try {
        const c = await get('/captures/{captureId}', { path: { captureId: item.session } })
        if (c.status === 'completed') this.to(item, 'done')
        if (c.status === 'error') this.to(item, 'failed', c.error ?? 'The file could not be read.')
      } catch (thrown) {
        const problem = Problem.of(thrown)
        if (!problem.passing) this.to(item, 'failed', problem.message)
      }
    }
  }
}

/** sendFile sends the bytes: only XMLHttpRequest tells how many have gone. */
function sendFile(item: Item, stop: AbortSignal, told: () => void): Promise<void> {
  return new Promise((done, fail) => {
    const x = new XMLHttpRequest()
    x.open('PUT', address('/captures/{captureId}/file', { path: { captureId: item.session ?? '' } }))
    x.setRequestHeader('Content-Type', 'application/octet-stream')
    x.upload.onprogress = (e) => {
      item.sent = e.total > 0 ? e.loaded / e.total : 0
      told()
    }
    x.onload = () => {
      if (x.status >= 200 && x.status < 300) return done()
      let code = 'Error'
      let message = `The server answered with ${x.status}.`
      try {
        const body = JSON.parse(x.responseText) as { error?: string; message?: string }
        code = body.error ?? code
        message = body.message ?? message
      } catch { /* not in the interface's words */ }
      const problem = new Problem(x.status, code, message, Number(x.getResponseHeader('Retry-After')) || null)
      if (x.status === 401) dispatchEvent(new CustomEvent(signedOut, { detail: problem }))
      fail(problem)
    }
    x.onerror = () => fail(Problem.offline())
    x.onabort = () => fail(new Problem(-1, 'Canceled', 'Canceled'))
    if (stop.aborted) return fail(new Problem(-1, 'Canceled', 'Canceled'))
    stop.addEventListener('abort', () => x.abort())
    x.send(item.file)
  })
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, ms)
    stop.addEventListener('abort', () => { clearTimeout(timer); fail(new Problem(-1, 'Canceled', 'Canceled')) })
  })
}
