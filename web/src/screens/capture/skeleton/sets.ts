// The sets of bones that an organization has for its own markers.

import type { components } from 'kinebase/schema'
import type { Bone, NamedPoint } from './bones'

/** BoneSet is named as the interface names it: a name and bones. */
export type BoneSet = components['schemas']['Skeleton']

/** So many of a set's points a recording must have, as a part. */
const enough = 0.8

const folded = (name: string) => name.toLowerCase()

/** membersOf is the points of a set, without case. */
function membersOf(set: BoneSet): ReadonlySet<string> {
  return new Set(set.bones.flat().map(folded))
}

/** Fitting is the set that a subject is drawn by, and the bones of it that are there. */
export interface Fitting {
  subject: string | null
  set: BoneSet
  bones: Bone[]
}

type Places = ReadonlyMap<string, number>

/** placesOf is where the points of each subject are, by their labels without case. */
export function placesOf(points: readonly NamedPoint[]): Map<string | null, Places> {
  const subjects = new Map<string | null, Map<string, number>>()
  points.forEach((p, i) => {
    const places = subjects.get(p.subject) ?? new Map<string, number>()
    if (!places.has(folded(p.label))) places.set(folded(p.label), i)
    subjects.set(p.subject, places)
  })
  return subjects
}

/** bonesOf is those of the bones of which a subject has both points. */
export function bonesOf(places: Places, pairs: readonly (readonly string[])[]): Bone[] {
  return pairs.flatMap(([from, to]): Bone[] => {
    const a = places.get(folded(from!))
    const b = places.get(folded(to!))
    return a === undefined || b === undefined ? [] : [[a, b]]
  })
}

/** fittings is which of the sets each subject is drawn by: of those that fit the one with most points, of as many the first. */
export function fittings(points: readonly NamedPoint[], sets: readonly BoneSet[]): Fitting[] {
  return [...placesOf(points)].flatMap(([subject, places]): Fitting[] => {
    let best: BoneSet | null = null
    let most = 0
    for (const set of sets) {
      const members = membersOf(set)
      const there = [...members].filter((name) => places.has(name)).length
      if (there >= enough * members.size && there > most) {
        best = set
        most = there
      }
    }
    return best ? [{ subject, set: best, bones: bonesOf(places, best.bones) }] : []
  })
}

/** drawn is the bones that are drawn: those of the sets, and for subjects without one those that are known otherwise. */
export function drawn(points: readonly NamedPoint[], sets: readonly BoneSet[], known: readonly Bone[]): Bone[] {
  const fit = fittings(points, sets)
  const own = new Set(fit.map((f) => f.subject))
  return [...fit.flatMap((f) => f.bones), ...known.filter(([a]) => !own.has(points[a]!.subject))]
}

/** Pairs are bones by the names of their points. */
export type Pairs = readonly (readonly [string, string])[]

/** namesOf is bones by the names that their points have in every subject, none twice. */
export function namesOf(points: readonly NamedPoint[], bones: readonly Bone[]): Pairs {
  const all: (readonly [string, string])[] = []
  for (const [a, b] of bones) {
    const pair = [points[a]!.label, points[b]!.label] as const
    if (!all.some((p) => same(p, pair))) all.push(pair)
  }
  return all
}

/** toggled is bones with one more, or without it where it was there. */
export function toggled(pairs: Pairs, from: string, to: string): Pairs {
  const rest = pairs.filter((p) => !same(p, [from, to]))
  return rest.length < pairs.length ? rest : [...pairs, [from, to]]
}

/** joins says whether a bone is among them. */
export function joins(pairs: Pairs, from: string, to: string): boolean {
  return pairs.some((p) => same(p, [from, to]))
}

function same(p: readonly [string, string], o: readonly [string, string]): boolean {
  const [a, b, c, d] = [...p, ...o].map(folded)
  return (a === c && b === d) || (a === d && b === c)
}

const called = (name: string) => (s: BoneSet) => s.name.toLowerCase() === name.toLowerCase()

/** placed puts a set before all others, so that of two with as many points it counts. */
export function placed(sets: BoneSet[], set: BoneSet): BoneSet[] {
  return [set, ...sets.filter((s) => !called(set.name)(s))]
}

/** without takes one away. */
export function without(sets: BoneSet[], name: string): BoneSet[] {
  return sets.filter((s) => !called(name)(s))
}
