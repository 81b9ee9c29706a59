// The pairs of activity and movement that have dimensions, as the interface lists
// them, and their known values (tests/labels.test.ts holds both to the library of the server).

export const dimensions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  agility: { cutting: ['direction'] },
  baseball: { hitting: ['bat_length', 'handedness'], pitching: ['handedness'] },
  basketball: { free_throw: ['handedness'], jump_shot: ['handedness'], layup: ['handedness'] },
  golf: { swing: ['handedness'] },
  jump: {
    broad: ['arm_position'],
    countermovement: ['arm_position'],
    drop_vertical: ['arm_position'],
    single_leg: ['arm_position', 'footedness'],
    single_leg_broad: ['arm_position', 'footedness'],
    squat: ['arm_position'],
  },
  lunge: { forward: ['footedness'], side: ['footedness'] },
  range_of_motion: {
    ankle_flexion: ['body_position', 'footedness'],
    cervical_rotation: ['direction'],
    sfma_shoulder_extension: ['handedness'],
    sfma_shoulder_flexion: ['handedness'],
    shoulder_9090: ['handedness'],
    shoulder_flexion: ['handedness'],
    t_spine_rotation: ['handedness'],
  },
  softball: { hitting: ['bat_length', 'handedness'], pitching: ['handedness'] },
  squat: { single_leg: ['footedness'] },
  stability: {
    plank: ['plank_orientation', 'plank_position'],
    rotary: ['handedness'],
    single_leg_stance: ['eyes', 'footedness'],
    y_balance_lower_quarter: ['footedness', 'y_balance_lower_quarter_direction'],
    y_balance_upper_quarter: ['handedness', 'y_balance_upper_quarter_direction'],
  },
  tennis: {
    backhand: ['handedness'],
    forehand: ['handedness'],
    overhand_serve: ['handedness', 'overhand_serve_type'],
    underhand_serve: ['handedness'],
  },
  track_and_field: { discus: ['handedness'], shot_put: ['handedness'] },
}

const known: Readonly<Record<string, readonly string[]>> = {
  handedness: ['left', 'right'],
  footedness: ['left', 'right'],
  arm_position: ['arm-swing', 'hands-on-hips'],
  y_balance_lower_quarter_direction: ['Anterior', 'Posteromedial', 'Posterolateral'],
  y_balance_upper_quarter_direction: ['Medial', 'Superolateral', 'Inferolateral'],
  overhand_serve_type: ['pinpoint', 'platform'],
}

/** dimensionNames are the dimensions that movements have. */
export const dimensionNames: readonly string[] = [
  ...new Set(Object.values(dimensions).flatMap((m) => Object.values(m).flat())),
]

/** folded is a label as it is compared. */
export const folded = (label: string): string => label.trim().toLowerCase()

/** activities are those with movements that have dimensions; there may be others. */
export const activities: readonly string[] = Object.keys(dimensions)

/** movementsOf lists the movements of an activity that have dimensions, or of all. */
export function movementsOf(activity: string): readonly string[] {
  const one = dimensions[folded(activity)]
  if (one) return Object.keys(one)
  return activity.trim() ? [] : [...new Set(Object.values(dimensions).flatMap((m) => Object.keys(m)))].sort()
}

/** dimensionsOf names the dimension fields of a pair. */
export function dimensionsOf(activity: string, movement: string): readonly string[] {
  return dimensions[folded(activity)]?.[folded(movement)] ?? []
}

/** valuesOf lists what a dimension may be; empty: any text. */
export function valuesOf(dimension: string, movement: string): readonly string[] {
  if (dimension === 'direction' && folded(movement) === 'cervical_rotation') return ['left', 'right']
  return known[dimension] ?? []
}
