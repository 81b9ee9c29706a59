// Heights and weights in the units of the person. The interface keeps whole inches and
// whole pounds; what is told in centimetres and kilograms is rounded to those.

export type Units = 'metric' | 'imperial'

const cm = 2.54 // of an inch
const kg = 0.45359237 // of a pound

const place = 'kinebase:units'

/** unitsNow is what this browser prefers: as chosen before, else as its language's country measures. */
export function unitsNow(): Units {
  try {
    const kept = localStorage.getItem(place)
    if (kept === 'metric' || kept === 'imperial') return kept
  } catch {
    // The browser has no storage for this page.
  }
  return /^en-(US|LR)$|^my\b/i.test(navigator.language) ? 'imperial' : 'metric'
}

/** preferUnits keeps a choice for the next time. */
export function preferUnits(units: Units): void {
  try {
    localStorage.setItem(place, units)
  } catch {
    // It counts until the page is closed.
  }
}

/** heightText writes whole inches in both units, the preferred one first. */
export function heightText(inches: number, units = unitsNow()): string {
  return units === 'metric'
    ? `${Math.round(inches * cm)} cm (${inches} in)`
    : `${inches} in (${Math.round(inches * cm)} cm)`
}

/** weightText writes whole pounds in both units, the preferred one first. */
export function weightText(pounds: number, units = unitsNow()): string {
  return units === 'metric'
    ? `${Math.round(pounds * kg)} kg (${pounds} lb)`
    : `${pounds} lb (${Math.round(pounds * kg)} kg)`
}

const sizes = { height: cm, weight: kg }
export type Measure = keyof typeof sizes

const units = {
  height: { metric: 'centimetres', imperial: 'inches' },
  weight: { metric: 'kilograms', imperial: 'pounds' },
} as const

/** unitOf names the unit in which a measure is written. */
export const unitOf = (measure: Measure, by: Units): string => units[measure][by]

/** shownIn is the text of a field for what is kept: whole inches or pounds, or whole centimetres or kilograms. */
export function shownIn(measure: Measure, kept: number | null, units: Units): string {
  if (kept === null) return ''
  return String(units === 'metric' ? Math.round(kept * sizes[measure]) : kept)
}

/**
 * keptOf is what is kept of what is written in a field: the nearest whole inch or pound.
 * What is no number is given back as it is, so that the server says what is wrong.
 */
export function keptOf(measure: Measure, written: string, units: Units): string {
  const text = written.trim()
  if (units === 'imperial' || text === '') return text
  const plain = text.replace(',', '.')
  if (!/^\d+(\.\d*)?$/.test(plain)) return text
  // What is more than nothing is at least one: 0 would clear the field.
  const n = Number(plain)
  return String(n > 0 ? Math.max(1, Math.round(n / sizes[measure])) : 0)
}

/** roundingOf says what a metric text is kept as; "" where nothing is rounded. */
export function roundingOf(measure: Measure, written: string, units: Units): string {
  if (units === 'imperial') return ''
  const unit = measure === 'height' ? 'inch' : 'pound'
  const kept = keptOf(measure, written, units)
  if (!/^\d+$/.test(kept) || kept === '0') return `Kept to the nearest whole ${unit}.`
  const n = Number(kept)
  return `Kept to the nearest whole ${unit}: ${measure === 'height' ? heightText(n, 'metric') : weightText(n, 'metric')}.`
}
