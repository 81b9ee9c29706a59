import { expect, test } from 'vitest'
import { knownOf } from '../../src/screens/exports/known'

const motion = {
  channels: [{ columns: ['Hip_x', 'Hip_y'] }], events: [{ context: 'Left', label: 'Foot Strike' }], metrics: [{ context: 'Left', name: 'Walking Speed' }],
  computed: { metrics: [{ column: 'jump_height' }], events: [{ column: 'takeoff_frame' }] },
} as unknown as Parameters<typeof knownOf>[0]

test('of whole captures metrics alone are suggested, of frames channels', () => {
  expect(knownOf(motion, true).columns).toEqual(['left_walking_speed', 'jump_height'])
  expect(knownOf(motion, false).columns).toEqual(['Hip_x', 'Hip_y'])
  expect(knownOf(motion, false).events).toEqual(['left_foot_strike', 'takeoff_frame'])
  expect(knownOf(null, true)).toEqual({ columns: [], events: [] })
})
