// Which movements an athlete has captures of.
import { label } from '../../../ui/text'

/** Kind is an activity and a movement, in the casing of the first capture; null for no label. */
export interface Kind {
  activity: string | null
  movement: string | null
  captures: number
}

/** sameKind compares labels as the interface does: without regard to case. */
export function sameKind(a: Pick<Kind, 'activity' | 'movement'>, b: Pick<Kind, 'activity' | 'movement'>): boolean {
  const same = (x: string | null, y: string | null) => x?.toLowerCase() === y?.toLowerCase()
  return same(a.activity, b.activity) && same(a.movement, b.movement)
}

/** kindsOf counts captures by movement, the most frequent first. */
export function kindsOf(captures: readonly Pick<Kind, 'activity' | 'movement'>[]): Kind[] {
  const kinds = new Map<string, Kind>()
  for (const { activity, movement } of captures) {
    const key = JSON.stringify([activity, movement]).toLowerCase()
    const kind = kinds.get(key) ?? { activity, movement, captures: 0 }
    kind.captures++
    kinds.set(key, kind)
  }
  return [...kinds.values()].sort((a, b) => b.captures - a.captures)
}

/** kindText is a movement in words. */
export function kindText(k: Pick<Kind, 'activity' | 'movement'>): string {
  const parts = [k.activity, k.movement].filter((s): s is string => s !== null)
  return parts.map(label).join(' · ') || 'No label'
}
