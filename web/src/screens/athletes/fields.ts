// The fields of an athlete that are lines of the form and facts of the page. The compiler holds them to openapi.yaml:
// it refuses the table when a field or a value is missing here, or is none there.
import type { Athlete } from '../../api/athletes'
import { date, label } from '../../ui/text'
import { heightText, weightText } from './units'

/** Line is the name of a field that has one value. */
export type Line = Exclude<keyof Athlete, 'id' | 'created_at' | 'updated_at' | 'positions' | 'custom_attributes'>

type Sport = NonNullable<Athlete['activity']>
type Position = Athlete['positions'][number]

interface Row<V> {
  title: string
  /** How it is written: as a text where nothing is said. */
  input?: 'email' | 'tel' | 'date' | 'measure'
  /** The values of which one is chosen, in the order in which they are shown. */
  values?: V extends string ? Readonly<Record<V, true>> : never
  /** How a page shows the value: as it is kept where nothing is said. */
  shown?: (value: NonNullable<V>) => string
  /** It stands in the heading, and not among the facts. */
  heading?: true
}

const sides = { left: true, right: true, both: true } as const

/** fields are in the order of the form, and of the page. */
export const fields: Readonly<{ [L in Line]: Row<Athlete[L]> }> = {
  first_name: { title: 'First name', heading: true },
  last_name: { title: 'Last name', heading: true },
  email: { title: 'E-mail', input: 'email' },
  phone: { title: 'Phone', input: 'tel' },
  date_of_birth: { title: 'Date of birth', input: 'date', shown: date },
  gender: { title: 'Gender', values: { female: true, male: true, other: true } },
  height: { title: 'Height', input: 'measure', shown: heightText },
  weight: { title: 'Weight', input: 'measure', shown: weightText },
  dominant_arm: { title: 'Dominant arm', values: sides },
  dominant_leg: { title: 'Dominant leg', values: sides },
  activity: {
    title: 'Sport',
    values: { baseball: true, softball: true, tennis: true, basketball: true, golf: true },
    shown: label,
  },
  competition_level: {
    title: 'Level',
    values: { youth: true, high_school: true, college: true, professional: true },
    shown: label,
  },
}

export const lines = Object.keys(fields) as Line[]

/** The fields of the interface, by which its messages call them. */
export const fieldNames: readonly string[] = [...lines, 'positions', 'custom_attributes']

/** valuesOf lists what a line may be; nothing: it is written. */
export const valuesOf = (line: Line): string[] => Object.keys(fields[line].values ?? {})

/** shownAs is the value of a line as a page shows it; null where it has none. */
export function shownAs(line: Line, a: Athlete): string | null {
  const value = a[line]
  if (value === null) return null
  return (fields[line].shown as ((value: unknown) => string) | undefined)?.(value) ?? String(value)
}

const diamond: readonly Position[] = [
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
const positions: Readonly<Record<Sport, readonly Position[]>> = {
  baseball: diamond,
  softball: diamond,
  basketball: ['point_guard', 'shooting_guard', 'small_forward', 'power_forward', 'center'],
  tennis: [],
  golf: [],
}

/** positionsOf lists the positions of a sport. */
export const positionsOf = (sport: string): readonly string[] => positions[sport as Sport] ?? []
