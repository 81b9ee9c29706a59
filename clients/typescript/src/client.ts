import createClient, { type Client } from 'openapi-fetch'

import { exported, type ExportOptions } from './exports.js'
import { KinebaseError } from './error.js'
import { type FrameQuery, type Frames, framesOf } from './frames.js'
import { newKey } from './key.js'
import {
  athletes,
  type AthleteFilter,
  captures,
  type CaptureFilter,
  type ChangeFilter,
  changes,
  type ColumnFilter,
  columns,
  metrics,
  type MetricsFilter,
} from './lists.js'
import { again, type Sleep, sleep } from './retry.js'
import type { paths } from './schema.js'
import { Shares, Visitor } from './shared.js'
import type {
  Athlete,
  Capture,
  ChangePage,
  ColumnUse,
  ExportRequest,
  MeasuredCapture,
  Motion,
  Processing,
  Skeleton,
} from './types.js'
import { type UploadOptions, uploaded } from './upload.js'

/** Options say which server is asked, and how. */
export interface Options {
  /** The server, such as https://kinebase.example/v1; else the variable KINEBASE_URL. */
  url?: string
  /** The token; else the variable KINEBASE_TOKEN. */
  token?: string
  /** How often a call is made again that is safe to repeat; 5 without it. */
  retries?: number
  /** What sends, in place of the global fetch. */
  fetch?: (request: Request) => Promise<Response>
  /** What waits between tries. */
  sleep?: Sleep
}

/** Environment is where Node.js has its variables; browsers have none. */
function environment(name: string): string | undefined {
  const world = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return world.process?.env?.[name]
}

/**
 * Kinebase asks one server with one token. Every error of a call is a KinebaseError. Lists are asynchronous iterators over
 * all pages; api has every operation of the interface by its path, typed, for what has no method here.
 */
export class Kinebase {
  readonly api: Client<paths>
  readonly sleep: Sleep
  /** The links of the organization. */
  readonly shares: Shares

  constructor(options: Options = {}) {
    const token = options.token ?? environment('KINEBASE_TOKEN')
    this.sleep = options.sleep ?? sleep
    const api = connected(options, () => {
      if (!token) throw new TypeError('no token is given: set token, or the variable KINEBASE_TOKEN')
      return { Authorization: `Bearer ${token}` }
    })
    this.api = api
    this.shares = new Shares(api)
  }

  /** What the link with a secret shows. Without a token; of the options, token counts for nothing. */
  static visit(secret: string, options: Options = {}): Visitor {
    return new Visitor(
      connected(options, () => ({})),
      secret,
    )
  }

  /** The sets of bones of the organization. */
  async skeletons(): Promise<Skeleton[]> {
    const { data } = await this.api.GET('/skeletons')
    return data!.skeletons
  }

  /** All captures that the filter lets through, the newest first. */
  captures(filter: CaptureFilter = {}): AsyncGenerator<Capture, void> {
    return captures(this.api, filter)
  }

  /** All athletes that the filter lets through, by last name where sorted_by says nothing else. */
  athletes(filter: AthleteFilter = {}): AsyncGenerator<Athlete, void> {
    return athletes(this.api, filter)
  }

  /** All completed captures of an athlete with their metrics, the oldest first. */
  metrics(athleteId: string, filter: MetricsFilter = {}): AsyncGenerator<MeasuredCapture, void> {
    return metrics(this.api, athleteId, filter)
  }

  /** The columns that recordings have, by activity and movement, and how many captures have each. */
  columns(filter: ColumnFilter = {}): AsyncGenerator<ColumnUse, void> {
    return columns(this.api, filter)
  }

  /** Pages of what changed, until there is nothing more now, or for ever with wait. */
  changes(filter: ChangeFilter = {}): AsyncGenerator<ChangePage, void> {
    return changes(this.api, filter)
  }

  /** One capture. */
  async capture(id: string): Promise<Capture> {
    const { data } = await this.api.GET('/captures/{captureId}', { params: { path: { captureId: id } } })
    return data as Capture
  }

  /** What a capture's recording holds: channels, events, metrics, warnings. */
  async motion(id: string): Promise<Motion> {
    const { data } = await this.api.GET('/captures/{captureId}/motion', { params: { path: { captureId: id } } })
    return data as Motion
  }

  /** How far the processing of a capture's file is, and how long the rest is expected to take. */
  async processing(id: string): Promise<Processing> {
    const { data } = await this.api.GET('/captures/{captureId}/processing', { params: { path: { captureId: id } } })
    return data!.processing
  }

  /** The frames of a capture, column by column, however many they are. */
  frames(id: string, query: FrameQuery = {}): Promise<Frames> {
    return framesOf(this.api, id, query)
  }

  /** Has an export built and gives its result as it comes: a file whose body is a stream. */
  export(request: ExportRequest = {}, options: ExportOptions = {}): Promise<Response> {
    return exported(this, request, options)
  }

  /** Sends a file, and gives the session id of its capture; with wait, when it has been read. */
  upload(file: Blob, options: UploadOptions): Promise<string> {
    return uploaded(this, file, options)
  }
}

/** connected asks a server with some headers. */
function connected(options: Options, headers: () => Record<string, string>): Client<paths> {
  const url = options.url ?? environment('KINEBASE_URL')
  if (!url) throw new TypeError('no server is given: set url, or the variable KINEBASE_URL')
  const send = options.fetch ?? ((request: Request) => fetch(request))
  const api = createClient<paths>({
    baseUrl: url.replace(/\/+$/, ''),
    headers: headers(),
    querySerializer: { array: { style: 'form', explode: false } },
    fetch: (request: Request) => again(send, keyed(request), options.retries ?? 5, options.sleep ?? sleep),
  })
  api.use({
    onResponse: async ({ response }) => {
      if (!response.ok) throw await KinebaseError.of(response)
      return undefined
    },
  })
  return api
}

/** keyed gives a POST a key of its own, by which its repetitions count once. */
function keyed(request: Request): Request {
  if (request.method !== 'POST' || request.headers.has('Idempotency-Key')) return request
  const headers = new Headers(request.headers)
  headers.set('Idempotency-Key', newKey())
  return new Request(request, { headers })
}
