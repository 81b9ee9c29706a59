import { label } from '../../ui/text'

const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** dayOf writes a day of UTC, in full with its year. */
export function dayOf(day: string, full = false): string {
  return (full ? long : short).format(new Date(`${day}T00:00:00Z`))
}

/** titleOf is how a capture is called in a list. */
export function titleOf(c: {
  session_id: string
  activity: string | null
  movement: string | null
  file_name?: string | null
}): string {
  return (
    [c.activity, c.movement]
      .filter((s): s is string => s !== null)
      .map(label)
      .join(' · ') ||
    c.file_name ||
    c.session_id
  )
}
