// A recording of two people has the events of each: nobody's cycle goes from one's event to the other's.
import { expect, test, vi } from 'vitest'

vi.hoisted(() => vi.stubGlobal('addEventListener', () => undefined))
import { plain } from '../../../src/curves/derived'
import { marksOf } from '../../../src/screens/capture/plots/events'
import type { Motion, MotionEvent } from '../../../src/screens/capture/types'
import { comparisonOf } from '../../../src/screens/compare/address'
import { linesOf } from '../../../src/screens/compare/lines'
import { happeningsOf } from '../../../src/screens/compare/offers'
import { trialOf } from '../../../src/screens/compare/trial'

const strike = (subject: string, context: string, time: number): MotionEvent => ({ subject, context, label: 'Foot Strike', time, frame: Math.round(time * 100), description: '' })
const events = [...[0.1, 1.1, 2.1].map((t) => strike('Ann', 'Left', t)), ...[0.4, 1.6].map((t) => strike('Ben', 'Left', t)), ...[0.6, 1.5].map((t) => strike('Ann', 'Right', t))]
const channel = (subject: string | null, name: string) => ({ kind: 'angle', name: subject ? `${subject}:${name}` : name, label: name, subject, unit: 'deg', columns: [`${subject ?? ''}${name}`], missing: 0 })
const channels = [channel('Ann', 'LKneeAngles'), channel('Ben', 'LKneeAngles'), channel('Ann', 'RKneeAngles'), channel('Ben', 'RKneeAngles'), channel(null, 'LHipAngles')]
const trialWith = (events: MotionEvent[]) =>
  trialOf({ session_id: 'two', athlete_id: null, capture_time: null, activity: null, movement: null } as never, { session_id: 'two', file_name: 'two.c3d', frames: 300, rate: 100, even: true, events, channels, platform_channels: [], metrics: [], computed: null } as unknown as Motion)
const time = Float64Array.from({ length: 300 }, (_, i) => i / 100)
const numbers = new Map([['two', { time, columns: new Map(channels.map((c) => [c.columns[0]!, time])) }]])

function cycles(of: MotionEvent[], from: string) {
  const c = { ...comparisonOf(new URLSearchParams({ over: 'cycles', from })), columns: channels.map((c) => c.columns[0]!), how: plain }
  const { lines, lacking } = linesOf(c, [trialWith(of)], numbers)
  return { spans: lines.map((l) => [l.column, l.span.from, l.span.to]), lacking: lacking.map((l) => l.column) }
}

test('the event of its own side is that of its own subject', () => {
  const { spans, lacking } = cycles(events, 'own:foot strike')
  expect(spans).toEqual([['AnnLKneeAngles', 0.1, 1.1], ['AnnLKneeAngles', 1.1, 2.1], ['BenLKneeAngles', 0.4, 1.6], ['AnnRKneeAngles', 0.6, 1.5]])
  // Ben has no right strikes, and of the last one nobody knows whose it is.
  expect(lacking).toEqual(['BenRKneeAngles', 'LHipAngles'])
})

test('an event is called after its subject where there are several, and otherwise as before', () => {
  expect(happeningsOf([trialWith(events)]).map((h) => h.name).sort()).toEqual(['Ann: L Foot Strike', 'Ann: R Foot Strike', 'Ben: L Foot Strike', 'own:foot strike'])
  expect(cycles(events, 'Ben: L Foot Strike').spans.every(([, from, to]) => from === 0.4 && to === 1.6)).toBe(true)
  const alone = events.filter((e) => e.subject === 'Ann')
  expect([...new Set(marksOf(alone).map((m) => m.label))]).toEqual(['L Foot Strike', 'R Foot Strike'])
  expect(cycles(alone, 'L Foot Strike').spans).toHaveLength(2 * channels.length)
})
