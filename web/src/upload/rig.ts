// Videos that show one movement, filmed by several cameras, and the file that tells of them.

import { isVideo } from './kinds'
import type { Item } from './queue'

/** The endings of files that say where cameras were. */
export const calibrations = ['.toml', '.xml', '.txt', '.json', '.yml', '.yaml']

/** isCalibration says whether a file may say where cameras were, by its name. */
export function isCalibration(name: string): boolean {
  const lower = name.toLowerCase()
  return calibrations.some((e) => lower.endsWith(e))
}

/** largest is how large a calibration may be, in bytes. */
const largest = 1 << 20

/** unfitCalibration says why a calibration is not sent; "" when it is. */
export function unfitCalibration(f: File, videos: number): string {
  if (videos === 0) return 'not a kind of file that is read'
  if (f.size === 0) return 'empty'
  if (f.size > largest) return 'too large for a calibration of cameras'
  return videos < 2 ? 'it belongs to two videos or more' : ''
}

/**
 * Rig is the cameras that have filmed one movement. Their videos are captures of one group; the last item is the file
 * that names them and says where the cameras were. It is made once all videos have a place.
 */
export class Rig {
  group: string | null = null
  private readonly items: Item[] = []

  constructor(
    private readonly calibration: string,
    private readonly text: string,
  ) {}

  /** named is the file that stands for the one that is made. */
  named(stem: string): File {
    return new File([this.text], `${stem}.cameras`)
  }

  add(item: Item): void {
    this.items.push(item)
  }

  /** reserved notes the group of the first place. */
  reserved(group: string): void {
    this.group ??= group
  }

  /** ready says whether an item may go: the first video, the others once it has a place, and their file after all. */
  ready(item: Item): boolean {
    if (this.isFile(item)) return this.videos().every(sent)
    return item === this.items[0] || this.group !== null
  }

  /** lost says whether an item cannot go any more: a video that it needs was not sent. */
  lost(item: Item): boolean {
    const over = (i: Item) => i.stage === 'failed' || i.stage === 'canceled'
    if (this.isFile(item)) return this.videos().some(over) && this.videos().every((i) => over(i) || sent(i))
    return item !== this.items[0] && this.group === null && over(this.items[0]!)
  }

  /** fileOf makes the file of cameras; null for a video, which is sent as it is. */
  fileOf(item: Item): File | null {
    if (!this.isFile(item)) return null
    const videos = this.videos().map((i) => ({ session_id: i.session }))
    const told = { videos, calibration: { name: this.calibration, text: this.text } }
    return new File([JSON.stringify(told)], item.file.name, { type: 'application/json' })
  }

  private isFile(item: Item): boolean {
    return !isVideo(item.file.name)
  }

  private videos(): Item[] {
    return this.items.filter((i) => !this.isFile(i))
  }
}

/** sent says whether the server has a file. */
function sent(item: Item): boolean {
  return item.stage === 'reading' || item.stage === 'done' || item.stage === 'unread'
}
