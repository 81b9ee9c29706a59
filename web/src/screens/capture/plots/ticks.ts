// Numbers beside the lines of a plot's grid.

/**
 * Writes evenly spaced values so that neighbours differ: a clock or a place on the globe
 * that changes by little has all the digits that this takes.
 */
export function ticks(at: readonly number[]): string[] {
  const step = at.length > 1 ? Math.abs(at[1]! - at[0]!) : 0
  const most = Math.max(0, ...at.map(Math.abs))
  const far = step > 0 && step < 0.05 * most
  const digits = step > 0 ? Math.min(15, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))) : 0
  return at.map((v) => {
    if (far && (most >= 1e5 || digits > 4)) return v.toFixed(digits)
    const a = Math.abs(v)
    if (a >= 1e5 || (a > 0 && a < 1e-3)) return v.toExponential(1)
    return String(Math.round(v * 1e4) / 1e4)
  })
}
