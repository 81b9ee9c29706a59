// Links that show captures to people without an account, and what who has the secret of one reads.
import type { Client } from 'openapi-fetch'

import { type FrameQuery, type Frames, framesBy } from './frames.js'
import { rows } from './pages.js'
import type { paths } from './schema.js'
import type { Capture, MeasuredCapture, Motion, NewShare, Share, Shared, Skeleton } from './types.js'

/** Shares are the links of an organization. */
export class Shares {
  constructor(private readonly api: Client<paths>) {}

  /** All of them, newest first. */
  async list(): Promise<Share[]> {
    const { data } = await this.api.GET('/shares')
    return data!.shares
  }

  /** A new link. Its secret is in this answer alone. */
  async create(share: NewShare): Promise<Share> {
    const { data } = await this.api.POST('/shares', { body: share })
    return data as Share
  }

  /** Takes a link back: it shows nothing from then on. */
  async delete(shareId: string): Promise<void> {
    await this.api.DELETE('/shares/{shareId}', { params: { path: { shareId } } })
  }
}

/** Visitor reads what a link shows, with its secret alone. Its captures are called by their numbers, from '1'. */
export class Visitor {
  private readonly header: { 'Kinebase-Share': string }

  constructor(
    private readonly api: Client<paths>,
    secret: string,
  ) {
    this.header = { 'Kinebase-Share': secret }
  }

  /** What the link shows: the kind of page, and its captures. It counts as a use of the link. */
  async shared(): Promise<Shared> {
    const { data } = await this.api.GET('/shared', { params: { header: this.header } })
    return data as Shared
  }

  /** The sets of bones by which recordings of the link are drawn. */
  async skeletons(): Promise<Skeleton[]> {
    const { data } = await this.api.GET('/shared/skeletons', { params: { header: this.header } })
    return data!.skeletons
  }

  /** The captures of a link to progress with the one metric that it shows, the oldest first. */
  metrics(): AsyncGenerator<MeasuredCapture, void> {
    return rows(0, async (offset) => {
      const params = { path: { number: '1' }, query: { limit: 500, offset }, header: this.header }
      const { data } = await this.api.GET('/shared/athletes/{number}/metrics', { params })
      return { rows: data!.captures as MeasuredCapture[], next: data!.next_offset }
    })
  }

  async capture(number: string): Promise<Capture> {
    const { data } = await this.api.GET('/shared/captures/{number}', this.of(number))
    return data as Capture
  }

  async motion(number: string): Promise<Motion> {
    const { data } = await this.api.GET('/shared/captures/{number}/motion', this.of(number))
    return data as Motion
  }

  /** The frames of a capture, column by column, however many they are. */
  async frames(number: string, query: FrameQuery = {}): Promise<Frames> {
    const { params } = this.of(number)
    return framesBy((await this.motion(number)).frames, query, async (part) => {
      const { data } = await this.api.GET('/shared/captures/{number}/frames', { params: { ...params, query: part } })
      return data
    })
  }

  private of(number: string) {
    return { params: { path: { number }, header: this.header } }
  }
}
