// One metric of an athlete's captures over time.
import type { Good } from '../../../api/request'
import type { Column } from '../../../ui/definition'
import { humanized } from '../../../ui/text'

export type Measured = Good<'/athletes/{athleteId}/metrics'>['captures'][number]
type Value = Measured['metrics'][string]

/** Offer is a metric that at least one of the captures has, with or without a value. */
export interface Offer {
  name: string
  title: string
  /** The unit of most of its values; "" for none. */
  unit: string
  /** How many captures have a value. */
  values: number
  column: Column | undefined
}

/** offersOf lists the metrics of captures: those of the library in its order, then those of files by name. */
export function offersOf(captures: readonly Measured[], columns: readonly Column[]): Offer[] {
  const units = new Map<string, Map<string, number>>()
  for (const c of captures) {
    for (const [name, v] of Object.entries(c.metrics)) {
      const of = units.get(name) ?? new Map<string, number>()
      units.set(name, of)
      if (given(v)) of.set(v.unit, (of.get(v.unit) ?? 0) + 1)
    }
  }
  const place = new Map(columns.map((c, n) => [c.name, n]))
  const order = (name: string) => place.get(name) ?? columns.length
  return [...units.keys()]
    .sort((a, b) => order(a) - order(b) || a.localeCompare(b))
    .map((name) => {
      const counts = [...units.get(name)!].sort((a, b) => b[1] - a[1])
      const column = columns[place.get(name) ?? -1]
      return {
        name,
        title: column?.title ?? humanized(name),
        unit: counts[0]?.[0] ?? column?.unit ?? '',
        values: counts.reduce((sum, [, n]) => sum + n, 0),
        column,
      }
    })
}

function given(v: Value): boolean {
  return v.value !== null || v.text !== null
}

/** Row is what a capture has of the metric. */
export interface Row {
  capture: Measured
  value: Value
}

/** Dot is a value with a time: a place in the chart. */
export interface Dot extends Row {
  time: number // ms since 1970
  y: number // the number, or the place of the text among steps
}

export interface Series {
  rows: Row[] // in the order of time, as the interface has them
  dots: Dot[]
  /** The texts of a metric that is a text, from below; null for numbers. */
  steps: string[] | null
  /** How many values have no time, or another unit than most: they are in the table alone. */
  untimed: number
  otherUnits: number
  methods: string[]
}

/** seriesOf gathers a metric. Values in another unit than the offer's are no dots: they would be a wrong course. */
export function seriesOf(captures: readonly Measured[], offer: Offer): Series {
  const rows = captures.flatMap((capture) => {
    const value = capture.metrics[offer.name]
    return value ? [{ capture, value }] : []
  })
  const full = rows.filter((r) => given(r.value))
  const texts = [...new Set(full.flatMap((r) => (r.value.text === null ? [] : [r.value.text])))].sort()
  const steps = texts.length > 0 && full.every((r) => r.value.value === null) ? texts : null
  const same = full.filter((r) => r.value.unit === offer.unit && (steps !== null || r.value.value !== null))
  const dots = same.flatMap((r) => {
    if (r.capture.capture_time === null) return []
    return [
      { ...r, time: Date.parse(r.capture.capture_time), y: r.value.value ?? steps?.indexOf(r.value.text ?? '') ?? 0 },
    ]
  })
  return {
    rows,
    dots,
    steps,
    untimed: same.length - dots.length,
    otherUnits: full.length - same.length,
    methods: [...new Set(full.flatMap((r) => (r.value.method === null ? [] : [r.value.method])))].sort(),
  }
}

/** tableOf is the metric as rows of a CSV file, with a head. */
export function tableOf(series: Series, offer: Offer): (string | number | null)[][] {
  const head = 'session_id,capture_time,activity,movement,metric,value,text,unit,source,method,version,withheld,message'
  const lines = series.rows.map(({ capture: c, value: v }) => [
    c.session_id,
    c.capture_time,
    c.activity,
    c.movement,
    offer.name,
    v.value,
    v.text,
    v.unit,
    v.source,
    v.method,
    v.version,
    v.withheld,
    v.message,
  ])
  return [head.split(','), ...lines]
}
