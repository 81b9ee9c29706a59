// What is derived of courses, by its name: through a low-pass, and how fast they change. It is shown and never stored.

/** Derivation is what is done with a course. */
export interface Derivation {
  /** Where the low-pass has −3 dB, in Hz; null for none. */
  cutoff: number | null
  slope: boolean
}

/** plain leaves a course as it is. */
export const plain: Derivation = { cutoff: null, slope: false }

/** The cut-offs that are offered, in Hz. */
export const cutoffs = [3, 6, 10, 12, 20, 50]

/** derivedName is what a course is called once something is done with it. */
export function derivedName(name: string, how: Derivation): string {
  const low = how.cutoff === null ? name : `${name}, smoothed at ${how.cutoff} Hz`
  return how.slope ? `Slope of ${low}` : low
}

/** derivedUnit is the unit of what is derived; that of a slope is by the second. An unknown one stays so. */
export function derivedUnit(unit: string, how: Derivation): string {
  return how.slope && unit ? `${unit}/s` : unit
}

/** cutoffOf reads a cut-off, in Hz; null where it is none. */
export function cutoffOf(text: string | null): number | null {
  const v = Number(text)
  return text && v > 0 && v <= 10_000 ? v : null
}
