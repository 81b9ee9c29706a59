// Stretches of time that plots show.

export type Range = [from: number, to: number]

/** No stretch is shorter than this part of everything: numbers would run out of digits. */
const least = 1e-4

/** Keeps a stretch within everything, and long enough to be seen. */
export function within([from, to]: Range, whole: Range): Range {
  const all = whole[1] - whole[0]
  const span = Math.min(all, Math.max(to - from, all * least))
  const middle = (from + to) / 2
  const begin = Math.min(whole[1] - span, Math.max(whole[0], to - from < span ? middle - span / 2 : from))
  return span >= all ? whole : [begin, begin + span]
}

/** Shows more or less time: factor of what is seen now, about a time, which keeps its place. */
export function scaled([from, to]: Range, whole: Range, factor: number, about: number): Range {
  const at = about >= from && about <= to ? about : (from + to) / 2
  return within([at - (at - from) * factor, at + (to - at) * factor], whole)
}

/**
 * The stretch that has two times under two fingers: each time was touched at its place
 * when the gesture began, and is held under its finger. Places are parts of the width.
 */
export function pinched(times: Range, places: Range, whole: Range): Range {
  const apart = places[1] - places[0]
  const touched = times[1] - times[0]
  if (apart * touched <= 0) return within([Math.min(...times), Math.max(...times)], whole)
  const span = touched / apart
  const from = times[0] - places[0] * span
  return within([from, from + span], whole)
}
