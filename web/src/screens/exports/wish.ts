// The request of an export: as it stands in the form, as the address bar has
// it, as the interface takes it, and in words.
import type { Sent } from '../../api/request'
import { label, things } from '../../ui/text'

/** Wish is what stands in the form. */
export interface Wish {
  /**
   * How many captures were chosen in the list, 0 where none were. Their ids stand in no address, which they would be too
   * long for: such a wish is told, and not asked for again.
   */
  chosen: number
  athletes: string[]
  activity: string
  movement: string
  /** Days, such as 2026-05-13; to is the last one that counts. "" for no bound. */
  from: string
  to: string
  /** Which time the days are about. */
  dateMode: '' | 'last_modified'
  metrics: string[]
  rows: 'all' | 'first' | 'event' | 'captures'
  /** The column of the event whose frame is wanted. */
  event: string
}

/** What a row can be. */
export const rowKinds = [
  ['all', 'Every frame'],
  ['first', 'The first frame of each capture'],
  ['event', 'The frame of an event'],
  ['captures', 'One row for each capture: its events and metrics'],
] as const

/** The fields of the interface, by which its messages call them. */
export const fieldNames = [
  'athletes',
  'activity',
  'movement',
  'startTime',
  'endTime',
  'dateMode',
  'metrics',
  'row_filter_column',
  'shape',
] as const

/** dayIn reads a day; what is none is "". */
function dayIn(text: string | null): string {
  return text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
}

/** wishOf reads the address bar. */
export function wishOf(q: URLSearchParams): Wish {
  const event = q.get('event') ?? ''
  return {
    chosen: Math.max(0, Math.trunc(Number(q.get('chosen')) || 0)),
    athletes: [...new Set(q.getAll('athlete'))],
    activity: q.get('activity') ?? '',
    movement: q.get('movement') ?? '',
    from: dayIn(q.get('from')),
    to: dayIn(q.get('to')),
    dateMode: q.get('time') === 'last_modified' ? 'last_modified' : '',
    metrics: [...new Set(q.getAll('column'))],
    rows: (['first', 'event', 'captures'] as const).find((r) => r === q.get('rows')) ?? 'all',
    event,
  }
}

/** queryOf is what of the address bar stands for a wish; "" for all there is. */
export function queryOf(w: Wish): string {
  const q = new URLSearchParams()
  const set = (name: string, value: string) => {
    if (value) q.set(name, value)
  }
  if (w.chosen) q.set('chosen', String(w.chosen))
  w.athletes.forEach((a) => q.append('athlete', a))
  set('activity', w.activity)
  set('movement', w.movement)
  set('from', w.from)
  set('to', w.to)
  set('time', w.dateMode)
  w.metrics.forEach((m) => q.append('column', m))
  if (w.rows !== 'all') q.set('rows', w.rows)
  if (w.rows === 'event') set('event', w.event)
  return q.toString()
}

/** formOf is the address of the form that asks for a wish. */
export function formOf(w: Wish): string {
  const q = queryOf(w)
  return q ? `/exports?${q}` : '/exports'
}

/**
 * bodyOf is the wish as the interface takes it, of some captures where these are named. Its end no longer counts, so it
 * is the day after the last.
 */
export function bodyOf(w: Wish, captures?: string[]): Sent<'/data/export', 'post'> {
  const timed = w.from || w.to
  return {
    ...(captures ? { captures } : {}),
    ...(w.athletes.length > 0 ? { athletes: w.athletes } : {}),
    ...(w.activity.trim() ? { activity: w.activity.trim() } : {}),
    ...(w.movement.trim() ? { movement: w.movement.trim() } : {}),
    ...(w.from ? { startTime: w.from } : {}),
    ...(w.to ? { endTime: shifted(w.to, 1) } : {}),
    ...(timed && w.dateMode ? { dateMode: w.dateMode } : {}),
    ...(w.metrics.length > 0 ? { metrics: w.metrics } : {}),
    ...(w.rows === 'first'
      ? { row_filter_column: 'frame' }
      : w.rows === 'event'
        ? { row_filter_column: w.event.trim() }
        : w.rows === 'captures'
          ? { shape: 'captures' as const }
          : {}),
  }
}

/** faultIn says what the form itself knows to be wrong, in the words of the server's fields; "" for nothing. */
export function faultIn(w: Wish): string {
  if (w.from && w.to && w.to < w.from) return 'endTime must not be before the first day'
  if (w.rows === 'event' && !w.event.trim()) return 'row_filter_column must name an event, such as left_foot_strike'
  return ''
}

/** shifted is a day some days later. */
export function shifted(d: string, days: number): string {
  return new Date(Date.parse(`${d}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** daysOf is how many days there are from one to another, both included. */
export function daysOf(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1
}

const written = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** dayText writes a day, as it is in UTC. */
export function dayText(d: string): string {
  return written.format(new Date(`${d}T00:00:00Z`))
}

/** rangeText writes days from one to another. */
export function rangeText(from: string, to: string): string {
  if (from && to) return from === to ? dayText(from) : `${dayText(from)} – ${dayText(to)}`
  return from ? `since ${dayText(from)}` : to ? `until ${dayText(to)}` : ''
}

/** wordsOf tells a wish in short. */
export function wordsOf(w: Wish): string {
  const what = [w.activity, w.movement].filter(Boolean).map(label).join(' · ')
  const range = rangeText(w.from, w.to)
  const parts = [
    what || (w.chosen ? things(w.chosen, 'chosen capture') : 'All movements'),
    w.athletes.length > 0 ? things(w.athletes.length, 'athlete') : '',
    range && w.dateMode ? `changed ${range}` : range,
    w.metrics.length > 0 ? things(w.metrics.length, 'column') : '',
    w.rows === 'first'
      ? 'first frames'
      : w.rows === 'event'
        ? `frames of ${w.event}`
        : w.rows === 'captures'
          ? 'a row for each capture'
          : '',
  ]
  return parts.filter(Boolean).join(', ')
}
