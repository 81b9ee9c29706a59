import { activities, dimensionsOf, movementsOf, valuesOf } from '../labels'
import { Choice, Field } from './field'
import { Suggest } from './suggest'
import { label } from './text'

/** Movement is what was done: activity, movement, and the dimensions of the pair. */
export interface Movement {
  activity: string
  movement: string
  dimensions: Record<string, string>
}

/** MovementFields asks what was done. faults has what is wrong, by field. */
export function MovementFields({
  value,
  onValue,
  faults = {},
}: {
  value: Movement
  onValue: (m: Movement) => void
  faults?: Record<string, string | undefined>
}) {
  const set = (name: string, v: string) => onValue({ ...value, dimensions: { ...value.dimensions, [name]: v } })
  return (
    <>
      <Suggest
        label="Activity"
        placeholder="None"
        value={value.activity}
        options={activities}
        fault={faults.activity}
        onValue={(activity) => onValue({ ...value, activity })}
      />
      <Suggest
        label="Movement"
        placeholder="None"
        value={value.movement}
        options={movementsOf(value.activity)}
        fault={faults.movement}
        onValue={(movement) => onValue({ ...value, movement })}
      />
      {dimensionsOf(value.activity, value.movement).map((name) => {
        const known = valuesOf(name, value.movement)
        const title = label(name[0]!.toUpperCase() + name.slice(1))
        return known.length > 0 ? (
          <Choice
            key={name}
            label={title}
            value={value.dimensions[name] ?? ''}
            fault={faults[name]}
            options={[['', 'Not said'], ...known.map((v) => [v, v] as const)]}
            onChange={(e) => set(name, e.currentTarget.value)}
          />
        ) : (
          <Field
            key={name}
            label={title}
            maxLength={128}
            placeholder="Not said"
            value={value.dimensions[name] ?? ''}
            fault={faults[name]}
            onInput={(e) => set(name, e.currentTarget.value)}
          />
        )
      })}
    </>
  )
}

/** attributesOf is a movement as the interface takes it: what is not said is null. */
export function attributesOf(m: Movement): Record<string, string | null> {
  const all: Record<string, string | null> = {
    activity: m.activity.trim() || null,
    movement: m.movement.trim() || null,
  }
  for (const name of dimensionsOf(m.activity, m.movement)) all[name] = m.dimensions[name]?.trim() || null
  return all
}
