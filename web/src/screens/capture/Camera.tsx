// The buttons that turn the camera, and from where Front and Side look.

import { useEffect, useState } from 'preact/hooks'
import type { Player } from './player'
import { axisOf, type Look } from './scene/looks'
import type { Up } from './scene/up'
import type { View } from './scene/view'

const names: Record<Look, string> = { home: 'Whole', front: 'Front', side: 'Side', top: 'Top' }

interface Props {
  view: { current: View | null }
  player: Player
  up: Up | null
  chosen: number
  follow: boolean
  setFollow: (on: boolean) => void
}

export function Camera({ view, player, up, chosen, follow, setFollow }: Props) {
  const [faces, setFaces] = useState(true)
  // Whether somebody's facing is known hardly ever changes within a recording: a look now and then is enough.
  useEffect(() => {
    const look = () => setFaces(view.current?.heading != null)
    look()
    return player.onChange(look)
  }, [view, player, up, chosen])
  const lab = up === null ? '' : `${axisOf(up, [0, 1])}, Side from ${axisOf(up, [1, 0])}`
  return (
    <>
      <div class="stage-looks" role="group" aria-label="Camera">
        {(['home', 'front', 'side', 'top'] as const).map((look) => (
          <button
            type="button"
            key={look}
            onClick={() => view.current?.look(look)}
            title={
              look === 'front' && faces
                ? 'From where the face is seen'
                : look === 'side' && faces
                  ? 'From the right of the body'
                  : undefined
            }
          >
            {names[look]}
          </button>
        ))}
        <button type="button" aria-pressed={follow} onClick={() => setFollow(!follow)}>
          Follow
        </button>
      </div>
      {!faces && lab && <p class="stage-axes">No left and right is known: Front looks from {lab} of the laboratory</p>}
    </>
  )
}
