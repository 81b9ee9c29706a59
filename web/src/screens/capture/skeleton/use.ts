// The bones that are drawn, with the sets of the organization and what somebody is changing in them.

import { useMemo, useState } from 'preact/hooks'
import { useQuery } from '../../../api/query'
import { get } from '../../../api/request'
import { namedOf } from '../scene/points'
import type { Channel, Motion } from '../types'
import { bones, type Bone, type NamedPoint } from './bones'
import { bonesOf, drawn, fittings, placesOf, type BoneSet, type Fitting, type Pairs } from './sets'

const none: BoneSet[] = []

/** Bones is what the scene draws and the editor changes. */
export interface Bones {
  points: NamedPoint[]
  drawn: Bone[]
  /** The sets in use. */
  fit: Fitting[]
  sets: BoneSet[]
  /** What somebody is changing; null while nobody is. */
  draft: Pairs | null
  setDraft: (to: Pairs | null) => void
  refresh: () => void
}

/** useBones gives the bones of a recording. */
export function useBones(motion: Motion, points: Channel[]): Bones {
  const query = useQuery('skeletons', (signal) => get('/skeletons', { signal }))
  const sets = query.data?.skeletons ?? none
  const [draft, setDraft] = useState<Pairs | null>(null)
  const named = useMemo(() => namedOf(points), [points])
  const known = useMemo(() => bones(named, motion.bones as [string, string][]), [named, motion])
  const fit = useMemo(() => fittings(named, sets), [named, sets])
  const all = useMemo(() => {
    if (draft === null) return drawn(named, sets, known)
    // What is being changed is drawn whole, also of a subject that lacks most of its points.
    return [...placesOf(named).values()].flatMap((places) => bonesOf(places, draft))
  }, [named, sets, known, draft])
  return { points: named, drawn: all, fit, sets, draft, setDraft, refresh: query.refresh }
}
