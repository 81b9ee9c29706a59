// Numbers as people read them.

export function seconds(t: number): string {
  return `${t.toFixed(Math.abs(t) < 100 ? 3 : 2)} s`
}

export function metres(m: number): string {
  if (m >= 1) return `${round(m)} m`
  if (m >= 0.01) return `${round(m * 100)} cm`
  return `${round(m * 1000)} mm`
}

export function round(v: number): string {
  return String(Math.round(v * 1000) / 1000)
}

/** A number that was computed, with six digits: more than any of these measurements has. */
export function told(v: number): string {
  return v - v === 0 ? String(Number(v.toPrecision(6))) : '–'
}

/** deviation writes an SD about a mean: one that is nothing but the rounding of sums is 0. */
export function deviation(sd: number, mean: number): string {
  return told(sd < 1e-12 * Math.abs(mean) ? 0 : sd)
}

/** A number of 64 bits, with all digits that it has. */
export function exact(v: number): string {
  return String(v)
}

/** A frame rate: what a file states exactly, without digits that say nothing. */
export function hertz(rate: number | null): string {
  return rate === null ? 'unknown' : `${Math.round(rate * 1e4) / 1e4} Hz`
}

/** What was missing, in per cent; next to nothing is told as such. */
export function percent(p: number): string {
  if (p === 0) return '0 %'
  if (p < 0.1) return '< 0.1 %'
  if (p > 99.9 && p < 100) return '> 99.9 %'
  return `${Math.round(p * 10) / 10} %`
}

const dimensions = {
  arm_position: 'Arm position',
  bat_length: 'Bat length',
  body_position: 'Body position',
  direction: 'Direction',
  eyes: 'Eyes',
  footedness: 'Footedness',
  handedness: 'Handedness',
  overhand_serve_type: 'Serve type',
  plank_orientation: 'Plank orientation',
  plank_position: 'Plank position',
  y_balance_lower_quarter_direction: 'Reach (lower quarter)',
  y_balance_upper_quarter_direction: 'Reach (upper quarter)',
} as const

export type Dimension = keyof typeof dimensions

export const dimensionNames = Object.entries(dimensions) as [Dimension, string][]
