// When a capture was made, without calling the time of an upload that of a recording.
import { time } from '../../ui/text'

interface Timed {
  capture_time: string | null
  capture_time_from?: 'given' | 'file' | 'upload' | null
}

/** uploaded says that nobody and nothing has said when it was recorded: its time is that of the upload. */
export function uploaded(c: Timed): boolean {
  return c.capture_time !== null && c.capture_time_from === 'upload'
}

/** whenOf writes the time of a capture with what it is the time of. */
export function whenOf(c: Timed): string {
  if (c.capture_time === null) return 'Time of recording not known'
  return `${uploaded(c) ? 'Uploaded' : 'Recorded'} ${time(c.capture_time)}`
}
