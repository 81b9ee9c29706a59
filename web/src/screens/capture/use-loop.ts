import { useEffect, useMemo } from 'preact/hooks'
import { Loop } from './loop'
import type { Player } from './player'
import { note } from './seen'

/** useLoop is the loop of a player. Where the player stands still, the address says at which frame. */
export function useLoop(player: Player): Loop {
  const loop = useMemo(() => new Loop(player), [player])
  useEffect(() => () => loop.dispose(), [loop])
  useEffect(() => {
    const stands = () => {
      if (!player.playing) note('frame', String(player.row))
    }
    const off = [player.onRow(stands), player.onChange(stands)]
    return () => off.forEach((f) => f())
  }, [player])
  return loop
}
