// Channels of force platforms, beside those of the file.

import type { Channel, Motion } from './types'

/** platformsOf lists the channels of force platforms: force, centre of pressure, free moment. */
export function platformsOf(motion: Motion): Channel[] {
  return motion.platform_channels.map((c) => ({ ...c, subject: null, missing: null, platform: true }))
}

/** pairsOf puts together what is drawn of each platform: the columns of its force and those of its centre of pressure. */
export function pairsOf(motion: Motion): string[][] {
  const number = (c: { name: string }) => /^plate(\d+)_/.exec(c.name)?.[1]
  return motion.platform_channels.flatMap((force) => {
    if (force.kind !== 'force') return []
    const cop = motion.platform_channels.find((c) => c.kind === 'point' && number(c) === number(force))
    return cop ? [[...force.columns, ...cop.columns]] : []
  })
}
