import { things } from './text'

/** remaining says how long something is expected to take from now on, as people say it; '' where it is not known. */
export function remaining(seconds: number | null): string {
  if (seconds === null) return ''
  if (seconds < 5) return 'a few seconds left'
  if (seconds < 55) return `about ${Math.ceil(seconds / 5) * 5} seconds left`
  if (seconds < 3600) return `about ${things(Math.ceil(seconds / 60), 'minute')} left`
  return `about ${things(Math.ceil(seconds / 3600), 'hour')} left`
}
