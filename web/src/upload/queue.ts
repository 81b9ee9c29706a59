// Files on their way to the server: each is reserved, sent, and watched until it
// has been read. A few go at a time.
import { newKey } from 'kinebase/key'
import { Problem } from '../api/problem'
import { get, send } from '../api/request'
import { remaining } from '../ui/remaining'
import { isVideo } from './kinds'
import type { Rig } from './rig'
import { pause, sendFile } from './send'
import { groupOf, lookFor } from './there'

/**
 * Stage is how far a file is. unread: the server has it and cannot read it. there: the server has had it before, and it
 * is not sent.
 */
export type Stage = 'waiting' | 'sending' | 'pausing' | 'reading' | 'done' | 'unread' | 'there' | 'failed' | 'canceled'

/** Item is one file. */
export interface Item {
  readonly id: number
  readonly file: File
  readonly said: Said
  stage: Stage
  /** How much of the file has been sent, 0 to 1. */
  sent: number
  /** The capture, once it is reserved. */
  session: string | null
  /** Where it is sent in pieces, once it is reserved; null for one that is sent whole. */
  place: string | null
  /** What is wrong, when it failed or has to pause. */
  why: string
  /** How many things are odd about the file, once it has been read. */
  warnings: number
  /** How long the rest of its processing takes, in words; '' where it is not known. */
  left: string
  /** Makes that a reservation whose answer was lost is not made twice. */
  key: string
  /** The cameras that it belongs to: it is the video of one of them, or the file that tells of all. */
  readonly rig: Rig | null
  /** The group that its path and bytes make; null until they are read. */
  group: string | null
  /** The file of this queue that is the same, where one is. */
  twin: Item | null
  /** It is sent although it is there. */
  again: boolean
}

/** What is said of a file. */
export interface Said {
  athletes: readonly string[]
  attributes: Record<string, string | null>
  /** When it was recorded, in ISO 8601; null is not said. */
  recorded: string | null
  /** How videos were filmed; "" is not said. */
  camera: { setup: string; orientation: string }
}

const atOnce = 3
/** How often a file is tried by itself for a passing reason, and the longest wait in between, in s. */
const tries = 6
const longestWait = 30
/** A file of more bytes goes in pieces, and after a break it goes on. */
const large = 4 << 20
const watchEvery = 1_500
/** How many are looked after in one round: those that were sent first are read first. */
const watchMost = 20

/** Queue sends files; told is called whenever something about one has changed. */
export class Queue {
  readonly items: Item[] = []
  private readonly told: (arrived: boolean) => void
  private readonly stops = new Map<Item, AbortController>()
  private readonly over = new AbortController()
  private running = 0
  private watching = false

  /** told hears with true that captures have come or changed. */
  constructor(told: (arrived: boolean) => void) {
    this.told = told
  }

  /** add takes files; said gives what is said of each. */
  add(files: readonly File[], said: (file: File) => Said, rig: Rig | null = null): void {
    for (const file of files) {
      const item: Item = {
        id: this.items.length + 1,
        file,
        said: said(file),
        stage: 'waiting',
        sent: 0,
        session: null,
        place: null,
        why: '',
        warnings: 0,
        left: '',
        key: newKey(),
        rig,
        group: null,
        twin: null,
        again: false,
      }
      this.items.push(item)
      rig?.add(item)
    }
    this.next()
  }

  /** sendAgain sends files that are there, as captures of their own. */
  sendAgain(...items: Item[]): void {
    for (const item of items)
      if (item.stage === 'there')
        Object.assign(item, { stage: 'waiting', sent: 0, why: '', session: null, twin: null, again: true })
    this.next()
  }

  retry(...items: Item[]): void {
    for (const item of items)
      if (item.stage === 'failed' || item.stage === 'canceled')
        Object.assign(item, { stage: 'waiting', sent: 0, why: '' })
    this.next()
  }

  cancel(item: Item): void {
    if (!this.open(item)) return
    this.stops.get(item)?.abort()
    this.to(item, 'canceled')
    this.giveBack(item)
    if (item.rig) this.next()
  }

  /** cancelAll leaves alone what was sent. */
  cancelAll(): void {
    // What relied on one that is canceled waits after that, and may stand before it.
    while (this.busy) for (const item of this.items) this.cancel(item)
  }

  /** end stops everything: nobody looks at it any more. */
  end(): void {
    this.cancelAll()
    this.over.abort()
  }

  /** busy says whether leaving would lose something. */
  get busy(): boolean {
    return this.items.some((i) => this.open(i))
  }

  private open(item: Item): boolean {
    return item.stage === 'waiting' || item.stage === 'sending' || item.stage === 'pausing'
  }

  private to(item: Item, stage: Stage, why = ''): void {
    const arrived = (stage === 'reading' || stage === 'done' || stage === 'unread') && item.stage !== stage
    item.stage = stage
    item.why = why
    // Another one that is the same has relied on it.
    if (stage === 'failed' || stage === 'canceled')
      for (const i of this.items)
        if (i.twin === item && i.stage === 'there') Object.assign(i, { twin: null, stage: 'waiting' })
    this.told(arrived)
  }

  private next(): void {
    this.told(false)
    // What tells of cameras goes when their videos have gone, and not at all without one of them.
    for (const i of this.items)
      if (i.stage === 'waiting' && i.rig?.lost(i)) this.to(i, 'failed', 'A video of these cameras was not sent.')
    while (this.running < atOnce) {
      const item = this.items.find((i) => i.stage === 'waiting' && (i.rig?.ready(i) ?? true))
      if (!item) return
      this.running++
      this.to(item, 'sending')
      const stop = new AbortController()
      this.stops.set(item, stop)
      void this.bring(item, stop.signal)
        .catch((thrown: unknown) => {
          if (item.stage !== 'canceled') this.to(item, 'failed', Problem.from(thrown).message)
        })
        .finally(() => {
          if (this.stops.get(item) === stop) this.stops.delete(item)
          this.running--
          this.next()
        })
    }
  }

  private async bring(item: Item, stop: AbortSignal): Promise<void> {
    for (let n = 1; ; n++) {
      try {
        const file = item.rig?.fileOf(item) ?? item.file
        if (item.session === null && (await this.there(item, stop))) return
        if (item.session === null) await this.reserve(item, file.size, stop)
        const told = (part: number) => {
          if (item.place !== null && part > item.sent) n = 1 // it comes on
          item.sent = part
          this.told(false)
        }
        if (item.place === null) await sendFile(item.session ?? '', file, stop, told)
        else await (await import('./pieces')).sendPieces(item.place, file, stop, told)
        break
      } catch (thrown) {
        const problem = Problem.from(thrown)
        if (stop.aborted) throw problem
        if (problem.status === 409 && n > 1 && (await this.arrived(item, stop))) break
        if (!problem.passing || n >= tries) {
          // A place whose file cannot come any more is not sent to again.
          if ([404, 409, 410].includes(problem.status))
            Object.assign(item, { session: null, place: null, key: newKey() })
          throw problem
        }
        this.to(item, 'pausing', problem.message)
        await pause((problem.retryAfter ?? Math.min(longestWait, 2 ** (n - 1))) * 1000, stop, problem.status === 0)
        if (item.place === null) item.sent = 0
        this.to(item, 'sending')
      }
    }
    this.to(item, 'reading')
    void this.watch()
  }

  /** there says whether a file is there already; the videos of several cameras are always sent. */
  private async there(item: Item, signal: AbortSignal): Promise<boolean> {
    if (item.rig || item.again) return false
    item.group ??= await groupOf(item.file, signal)
    // Nothing is waited for between the name and this: of two that are the same the second one finds the first.
    // One that relies on another itself is none to rely on.
    const fits = (i: Item) => i !== item && i.group === item.group && i.twin === null && relied.includes(i.stage)
    item.twin = this.items.find(fits) ?? null
    const taken = item.twin ? null : (await lookFor(item.group, signal)).taken
    if (!item.twin && !taken) return false
    item.session = taken?.session_id ?? null
    this.to(item, 'there', taken?.status === 'error' ? 'It could not be read.' : '')
    return true
  }

  private async reserve(item: Item, size: number, signal: AbortSignal): Promise<void> {
    const group = item.rig?.group ?? (item.again ? null : item.group)
    try {
      await this.reserveIn(group, item, size, signal)
    } catch (thrown) {
      const { status, message } = Problem.from(thrown)
      if (item.rig || !group || status !== 409 || !message.includes('session_group_id')) throw thrown
      // It was begun for other athletes, and has not come: that one ends, as the import has it.
      for (const captureId of (await lookFor(group, signal)).open)
        await send('delete', '/captures/{captureId}', { path: { captureId }, signal })
      item.key = newKey()
      await this.reserveIn(group, item, size, signal)
    }
  }

  private async reserveIn(group: string | null, item: Item, size: number, signal: AbortSignal): Promise<void> {
    const { athletes, attributes, recorded, camera } = item.said
    const said = Object.fromEntries(Object.entries(attributes).filter(([, v]) => v !== null))
    const place = await send('post', '/captures', {
      signal,
      key: item.key,
      ...(size > large ? { query: { include: 'resumable' } } : {}),
      body: {
        file_name: item.file.name,
        ...(size > large ? { file_size: size } : {}),
        ...(group ? { session_group_id: group } : {}),
        ...(recorded ? { capture_time: recorded } : {}),
        ...(athletes.length > 0 ? { athlete_ids: [...athletes] } : {}),
        ...(Object.keys(said).length > 0 ? { movement_attributes: said } : {}),
        // Nothing but a video may come without, and one without would be refused.
        ...(isVideo(item.file.name)
          ? {
              camera_configuration: {
                camera_setup_selection: camera.setup || null,
                camera_orientation: camera.orientation || null,
              },
            }
          : {}),
      },
    })
    item.session = place.session_id
    item.place = place.upload_resumable_url ?? null
    if (item.rig) {
      item.rig.reserved(place.session_group_id)
      this.next() // the other cameras have waited for the group
    }
  }

  /** arrived says whether a file has come although the answer to it was lost. */
  private async arrived(item: Item, signal: AbortSignal): Promise<boolean> {
    if (item.session === null) return false
    const c = await get('/captures/{captureId}', { path: { captureId: item.session }, signal })
    return c.status === 'processing' || c.status === 'completed'
  }

  /**
   * giveBack deletes a reservation that nothing will be sent to; else it would stand in the list until its time is
   * over.
   */
  private giveBack(item: Item): void {
    if (item.session === null) return
    const captureId = item.session
    Object.assign(item, { session: null, place: null, key: newKey() })
    void send('delete', '/captures/{captureId}', { path: { captureId } }).then(
      () => this.told(true),
      () => undefined,
    )
  }

  /** watch looks after the files that were sent until they have been read. */
  private async watch(): Promise<void> {
    if (this.watching) return
    this.watching = true
    const { signal } = this.over
    try {
      for (;;) {
        const some = this.items.filter((i) => i.stage === 'reading').slice(0, watchMost)
        if (some.length === 0) return
        await pause(watchEvery, signal)
        for (const item of some) await this.look(item, signal)
      }
    } catch {
      // Nobody looks any more.
    } finally {
      this.watching = false
    }
  }

  private async look(item: Item, signal: AbortSignal): Promise<void> {
    try {
      const c = await get('/captures/{captureId}', {
        path: { captureId: item.session ?? '' },
        query: { include: 'warnings' },
        signal,
      })
      item.warnings = c.warning_count ?? 0
      item.left = c.status === 'processing' ? await leftOf(item, signal) : ''
      this.told(false)
      if (c.status === 'completed') this.to(item, 'done')
      if (c.status === 'error') this.to(item, 'unread', c.error ?? 'The file could not be read.')
    } catch (thrown) {
      if (signal.aborted) throw thrown
      const problem = Problem.from(thrown)
      if (problem.passing) await pause((problem.retryAfter ?? 2) * 1000, signal)
      // The file is there all the same: whoever may send it need not be able to look.
      else this.to(item, 'done')
    }
  }
}

/** relied are the stages of a file that comes or has come: another one that is the same needs not be sent. */
const relied: readonly Stage[] = ['sending', 'pausing', 'reading', 'done', 'unread', 'there']

/** leftOf says how long the rest of the processing takes of what takes long: a video, or the videos of several cameras. */
async function leftOf(item: Item, signal: AbortSignal): Promise<string> {
  if (!isVideo(item.file.name) && !item.file.name.endsWith('.cameras')) return ''
  const { processing } = await get('/captures/{captureId}/processing', {
    path: { captureId: item.session ?? '' },
    signal,
  })
  return remaining(processing.seconds_left)
}
