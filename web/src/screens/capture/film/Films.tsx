// The videos that a recording was made of: its own, or those of several cameras.

import { useMemo, useState } from 'preact/hooks'
import { useQuery } from '../../../api/query'
import { address, fetched } from '../../../api/request'
import { lazy } from '../../../ui/lazy'
import type { Player } from '../player'
import type { Bones } from '../skeleton/use'
import type { Channel, Motion } from '../types'
import { clocksOf, landmarksOf, videosOf } from './over'
import type { Shot } from './Video'

const Video = lazy(() => import('./Video')) // few recordings have one

interface Given {
  id: string
  motion: Motion
  points: readonly Channel[]
  bones: Bones
  player: Player | null
}

/** Films shows the video of a recording, one of several, or nothing. */
export function Films(given: Given) {
  if (given.motion.video) return <Own {...given} />
  return given.player && clocksOf(given.motion).length > 0 ? <Several {...given} player={given.player} /> : null
}

function Own({ id, motion, points, bones, player }: Given) {
  const shot = useMemo<Shot>(
    () => ({
      id,
      name: motion.file_name,
      codec: motion.video?.codec ?? null,
      landmarks: landmarksOf(motion, points),
      clock: null,
    }),
    [id, motion, points],
  )
  return <Video id={id} motion={motion} shot={shot} bones={bones} player={player} />
}

/** Several shows the video of one of the cameras, which the file of the recording names. */
function Several({ id, motion, points, bones, player }: Given & { player: Player }) {
  const [chosen, setChosen] = useState(0)
  const { data } = useQuery(`cameras ${id}`, async (signal) => {
    const answer = await fetched(address('/captures/{captureId}/file', { path: { captureId: id } }), { signal })
    return videosOf(await answer.json())
  })
  const clocks = useMemo(() => clocksOf(motion), [motion])
  const video = data?.length === clocks.length ? data[chosen] : undefined
  const shot = useMemo<Shot | null>(
    () =>
      video === undefined
        ? null
        : {
            id: video,
            name: `of camera ${chosen + 1}`,
            codec: null,
            landmarks: landmarksOf(motion, points, chosen + 1),
            clock: clocks[chosen]!,
          },
    [video, chosen, motion, points, clocks],
  )
  if (!shot) return null
  const choice = (
    <label>
      Camera
      <select value={chosen} onChange={(e) => setChosen(Number(e.currentTarget.value))}>
        {clocks.map((_, i) => (
          <option key={i} value={i}>
            {i + 1}
          </option>
        ))}
      </select>
    </label>
  )
  return <Video id={id} motion={motion} shot={shot} bones={bones} player={player} choice={choice} />
}
