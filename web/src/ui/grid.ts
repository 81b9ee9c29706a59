/**
 * gridOf is round numbers that have the least and the greatest value between them: 3 to 7, or more where there is room
 * for more than four parts.
 */
export function gridOf(low: number, high: number, parts = 4): number[] {
  if (low === high) {
    const room = Math.abs(low) * 0.1 || 1
    return gridOf(low - room, high + room, parts)
  }
  const rough = (high - low) / parts
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5].find((f) => f * power >= rough) ?? 10)
  const from = Math.floor(low / step + 1e-9)
  const to = Math.ceil(high / step - 1e-9)
  return Array.from({ length: to - from + 1 }, (_, i) => (from + i) * step)
}
