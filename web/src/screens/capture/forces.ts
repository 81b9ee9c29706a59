// The forces of platforms for the scene, loaded beside its points.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { Problem } from '../../api/problem'
import { load } from './data/load'
import type { Store } from './data/store'
import { framesOf } from './frames'
import { pairsOf } from './platforms'
import type { Motion } from './types'

export interface Platforms {
  /** The rows of each platform that can be drawn, all with the same rows. */
  stores: Store[]
  /** Why others cannot. */
  problems: string[]
}

const none: Platforms = { stores: [], problems: [] }

/**
 * usePlatforms loads the forces of a recording once its points are there. Places of a file without a unit are no
 * metres, so that a centre of pressure cannot be put among them.
 */
export function usePlatforms(id: string, motion: Motion, ready: boolean): Platforms {
  const pairs = useMemo(() => (motion.metres > 0 ? pairsOf(motion) : []), [motion])
  const [found, set] = useState<Platforms>(none)
  useEffect(() => {
    set(none)
    if (!ready || pairs.length === 0) return
    const stop = new AbortController()
    const problems: string[] = []
    const one = (names: string[]) =>
      load(
        framesOf(id),
        { names, everything: false, rows: motion.frames, samples: false },
        stop.signal,
        () => {},
      ).catch((thrown: unknown) => {
        problems.push(Problem.from(thrown).message)
        return null
      })
    void Promise.all(pairs.map(one)).then((all) => {
      if (!stop.signal.aborted) set({ stores: all.filter((s) => s !== null), problems: [...new Set(problems)] })
    })
    return () => stop.abort()
  }, [id, motion, pairs, ready])
  return found
}
