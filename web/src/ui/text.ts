// How numbers and times are written.

const whole = new Intl.NumberFormat('en')

/** count writes a number of things: 1,234,567. */
export function count(n: number): string {
  return whole.format(n)
}

/** things writes how many of something there are: "1 capture", "2 captures". */
export function things(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`
}

/** bytes writes a size: 12.3 MB. */
export function bytes(n: number): string {
  for (const [unit, size] of [
    ['TB', 1e12],
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const) {
    if (n >= size) return `${(n / size).toFixed(n >= 100 * size ? 0 : 1)} ${unit}`
  }
  return `${n} bytes`
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** time writes a moment of the interface where the person is. */
export function time(iso: string): string {
  return moment.format(new Date(iso))
}

/** date writes its day. */
export function date(iso: string): string {
  return day.format(new Date(iso))
}

/** ago writes how long a moment has passed or will still come. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000
  for (const [unit, size] of [
    ['year', 31_557_600],
    ['month', 2_629_800],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return 'just now'
}

/** label writes a stored label for people: free_throw as "free throw". */
export function label(stored: string): string {
  return stored.replaceAll('_', ' ')
}

/** The name of a column as words: takeoff_frame is Takeoff. */
export function humanized(column: string): string {
  const words = column.replace(/_frame$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
