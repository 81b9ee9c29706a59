import type { Platforms } from './forces'
import { metresPerNewton } from './scene/scale'
import type { Motion } from './types'
import { metres } from './words'

/** Scale says how large the squares of the floor are, and how long the arrows of forces. */
export function Scale({ motion, cell, platforms }: { motion: Motion; cell: number; platforms: Platforms | null }) {
  const arrows = platforms !== null && platforms.stores.length > 0
  return (
    <p class="stage-scale">
      {cell > 0 && `A square is ${motion.metres > 0 ? metres(cell) : `${cell} in the file’s own unit`}`}
      {arrows && `${cell > 0 ? ', a' : 'A'}n arrow of 1 m is ${1 / metresPerNewton} N`}
    </p>
  )
}
