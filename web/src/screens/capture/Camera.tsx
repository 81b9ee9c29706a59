// The buttons that turn the camera, and from where they look.

import { useEffect, useState } from 'preact/hooks'
import type { Player } from './player'
import { axisOf, type Look } from './scene/looks'
import type { Up } from './scene/up'
import type { View } from './scene/view'

const looks: readonly { look: Look; name: string; title?: string }[] = [
  { look: 'home', name: 'Whole' },
  { look: 'front', name: 'Front', title: 'From where the face is seen' },
  { look: 'back', name: 'Back', title: 'From behind the body' },
  { look: 'left', name: 'Left', title: 'From the left of the body' },
  { look: 'right', name: 'Right', title: 'From the right of the body' },
  { look: 'top', name: 'Top' },
]

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
  const [pelvis, setPelvis] = useState(false)
  // Whether somebody's facing is known hardly ever changes within a recording: a look now and then is enough.
  useEffect(() => {
    const look = () => {
      setFaces(view.current?.heading != null)
      setPelvis(view.current?.hasPelvis ?? false)
    }
    look()
    return player.onChange(look)
  }, [view, player, up, chosen])
  const lab = up === null ? '' : `${axisOf(up, [0, 1])}, Right from ${axisOf(up, [1, 0])}`
  return (
    <>
      <div class="stage-looks" role="group" aria-label="Camera">
        {looks.map(({ look, name, title }) => (
          <button type="button" key={look} onClick={() => view.current?.look(look)} title={faces ? title : undefined}>
            {name}
          </button>
        ))}
        <button
          type="button"
          aria-pressed={follow}
          title={pelvis ? 'The pelvis stays in the middle' : 'The middle of all points stays in the middle'}
          onClick={() => setFollow(!follow)}
        >
          Follow
        </button>
      </div>
      {!faces && lab && <p class="stage-axes">No left and right is known: Front looks from {lab} of the laboratory</p>}
    </>
  )
}
