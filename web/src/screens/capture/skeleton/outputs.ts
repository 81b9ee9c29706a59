// Points that nobody wears: what Plug-in Gait and other models write among the markers.

import type { NamedPoint } from './bones'

// The axes of a segment are four points: its origin O, and A, L and P on each axis.
const axis = /^([LR]?(?:PEL|FE|TI|TB|FO|TO|UF|HU|CL|RA|HN|HED|TRX|THO|SAC|TH))([OALP])$/i

// Numbers of joints that a file keeps as if they were places, and centres of mass.
const output =
  /(Angles?|Moments?|Forces?|Powers?|GRF|Reaction(Force|Moment))$|^(Whole)?(Body)?Cent(re|er)OfMass(Floor)?$/

/** So many points of its four an axis must have: a marker may be called like one of them. */
const fewest = 3

/** outputsOf is which of the points are put out by a model. */
export function outputsOf(points: readonly NamedPoint[]): boolean[] {
  const families = new Map<string, number>()
  const family = (p: NamedPoint) => {
    const found = axis.exec(p.label)
    return found && JSON.stringify([p.subject, found[1]!.toUpperCase()])
  }
  for (const p of points) {
    const key = family(p)
    if (key) families.set(key, (families.get(key) ?? 0) + 1)
  }
  return points.map((p) => output.test(p.label) || (families.get(family(p) ?? '') ?? 0) >= fewest)
}
