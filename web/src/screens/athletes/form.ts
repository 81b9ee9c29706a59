// An athlete as it is written in a form, and the change that makes of it what
// was written.
import type { Athlete } from '../../api/athletes'
import { fields, lines, positionsOf, type Line } from './fields'

/** Written is what stands in the fields. */
export interface Written {
  texts: Record<string, string>
  positions: string[]
  attributes: { name: string; value: string }[]
}

/** written is an athlete as it is shown for editing; null: nobody yet. */
export function written(a: Athlete | null): Written {
  const out: Written = { texts: {}, positions: [...(a?.positions ?? [])], attributes: [] }
  for (const name of lines) out.texts[name] = a?.[name] == null ? '' : String(a[name])
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
    out[name] = fields[name as Line].input === 'measure' ? asNumber(v) : v
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
