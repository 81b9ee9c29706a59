import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../../ui/button'
import { Choice } from '../../../ui/field'
import { ups, type Up } from '../scene/up'
import { kinds, measureOf, measureText, type Kind } from './measure'

interface Props {
  /** The names of the points that there are. */
  points: readonly string[]
  up: Up
  /** The point that was chosen in the scene last; null for none. */
  picked: string | null
  full: boolean
  add: (text: string) => void
}

/** Measure puts together what is measured: points are chosen here, or clicked in the scene one after the other. */
export default function Measure({ points, up, picked, full, add }: Props) {
  const [kind, setKind] = useState<Kind>('distance')
  const [chosen, setChosen] = useState<string[]>([])
  const [vertical, setVertical] = useState<Up | null>(null)
  const places = kinds.find((k) => k.kind === kind)!.points
  useEffect(() => {
    if (picked === null) return
    setChosen((old) => {
      const free = places.findIndex((_, i) => !old[i])
      return free < 0 || old.includes(picked) ? old : places.map((_, i) => (i === free ? picked : (old[i] ?? '')))
    })
  }, [picked])
  const names = places.map((_, i) => chosen[i] ?? '')
  const axis = vertical ?? up
  const text = [kind, ...(kind === 'lean' ? [axis] : []), ...names.map(encodeURIComponent)].join('/')
  const measure = measureOf(text, new Set(points))
  return (
    <div class="stack">
      <Choice
        label="What"
        value={kind}
        options={kinds.map((k) => [k.kind, k.name] as const)}
        onChange={(e) => setKind(e.currentTarget.value as Kind)}
      />
      {places.map((place, i) => (
        <Choice
          key={place}
          label={place}
          value={names[i]!}
          options={[['', 'Choose a point'], ...points.map((p) => [p, p] as const)]}
          onChange={(e) => setChosen(names.map((n, at) => (at === i ? e.currentTarget.value : n)))}
        />
      ))}
      {kind === 'lean' && (
        <Choice
          label="Upwards"
          value={axis}
          options={ups.map((u) => [u, u.toUpperCase()] as const)}
          onChange={(e) => setVertical(e.currentTarget.value as Up)}
        />
      )}
      <p class="quiet small">
        A click on a point of the scene fills the next free place. What is measured is computed from the frames and
        stored nowhere but in the address.
      </p>
      <div>
        <Button
          disabled={measure === null || full}
          onClick={() => {
            if (measure) add(measureText(measure))
            setChosen([])
          }}
        >
          Plot it
        </Button>
      </div>
    </div>
  )
}
