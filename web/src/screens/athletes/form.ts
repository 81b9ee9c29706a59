// An athlete as it is written in a form, and the change that makes of it what
// was written.
import type { Athlete } from '../../api/athletes'

const texts = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'gender',
  'dominant_arm',
  'dominant_leg',
  'activity',
  'competition_level',
] as const
const numbers = ['height', 'weight'] as const

/** The fields of the interface, by which its messages call them. */
export const fieldNames = [...texts, ...numbers, 'date_of_birth', 'positions', 'custom_attributes'] as const

const diamond = [
  'pitcher',
  'catcher',
  'first_base',
  'second_base',
  'third_base',
  'shortstop',
  'left_field',
  'center_field',
  'right_field',
  'designated_hitter',
]
const court = ['point_guard', 'shooting_guard', 'small_forward', 'power_forward', 'center']

/** positionsOf lists the positions of a sport. */
export function positionsOf(activity: string): readonly string[] {
  if (activity === 'baseball' || activity === 'softball') return diamond
  return activity === 'basketball' ? court : []
}

/** Written is what stands in the fields. */
export interface Written {
  texts: Record<string, string>
  positions: string[]
  attributes: { name: string; value: string }[]
}

/** written is an athlete as it is shown for editing; null: nobody yet. */
export function written(a: Athlete | null): Written {
  const out: Written = { texts: {}, positions: [...(a?.positions ?? [])], attributes: [] }
  for (const name of [...texts, ...numbers]) out.texts[name] = a?.[name] == null ? '' : String(a[name])
  out.texts.date_of_birth = a?.date_of_birth?.slice(0, 10) ?? ''
  out.attributes = Object.entries(a?.custom_attributes ?? {}).map(([name, value]) => ({ name, value: String(value) }))
  return out
}

/**
 * change is what must be sent so that the athlete becomes what is written: only what
 * differs. An empty text, 0 and [] clear a field.
 */
export function change(before: Written, now: Written): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(now.texts)) {
    const v = value.trim()
    if (v === (before.texts[name] ?? '')) continue
    out[name] = (numbers as readonly string[]).includes(name) ? asNumber(v) : v
  }
  const can = positionsOf(now.texts.activity ?? '')
  const positions = now.positions.filter((p) => can.includes(p))
  if (JSON.stringify(positions) !== JSON.stringify(before.positions)) out.positions = positions
  const attributes: Record<string, string> = {}
  const had = new Map(before.attributes.map((a) => [a.name, a.value]))
  for (const a of now.attributes) {
    const name = a.name.trim()
    if (!name && !a.value.trim()) continue
    if (had.get(name) !== a.value) attributes[name] = a.value
    had.delete(name)
  }
  for (const name of had.keys()) attributes[name] = ''
  if (Object.keys(attributes).length > 0) out.custom_attributes = attributes
  return out
}

/** asNumber is a whole number as the interface wants it; what is none is sent as it is, for the server to say so. */
function asNumber(text: string): number | string {
  if (text === '') return 0
  return /^\d+$/.test(text) ? Number(text) : text
}
