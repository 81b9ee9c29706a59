import { Choice } from '../../../ui/field'
import { pointsOf } from '../../capture/scene/points'
import { holds, lays, type Figures } from '../address'
import type { Trial } from '../trial'
import { commonOf } from './timeline'

interface Props {
  figures: Figures
  trials: readonly Trial[]
  change: (to: Figures) => void
}

/** Choices is which two figures are shown, and how they are laid together. */
export function Choices({ figures, trials, change }: Props) {
  const movers = trials.filter((t) => pointsOf(t.motion).length > 0)
  const [a, b] = figures.pair
  const named = (other: string) =>
    movers.filter((t) => t.id !== other).map((t) => [t.id, [t.name, t.day].filter(Boolean).join(' · ')] as const)
  const find = (id: string) => movers.find((t) => t.id === id)
  const [first, second] = [find(a), find(b)]
  const common = first && second ? commonOf(first, second) : []
  // An event of the address that one of them lacks stays chosen, and is said to be missing.
  const events = figures.at && !common.includes(figures.at) ? [figures.at, ...common] : common
  const value = (e: { currentTarget: EventTarget }) => (e.currentTarget as HTMLSelectElement).value
  return (
    <div class="figures-choices no-print">
      <Choice
        label="First"
        value={a}
        options={named(b)}
        onChange={(e) => change({ ...figures, pair: [value(e), b] })}
      />
      <Choice
        label="Second"
        value={b}
        options={named(a)}
        onChange={(e) => change({ ...figures, pair: [a, value(e)] })}
      />
      <Choice
        label="One moment"
        value={figures.at}
        options={[['', 'The first frame'] as const, ...events.map((name) => [name, name] as const)]}
        onChange={(e) => change({ ...figures, at: value(e) })}
      />
      <Choice
        label="One place"
        value={figures.hold}
        options={holds}
        onChange={(e) => change({ ...figures, hold: value(e) as Figures['hold'] })}
      />
      <Choice
        label="Shown"
        value={figures.lay}
        options={lays}
        onChange={(e) => change({ ...figures, lay: value(e) as Figures['lay'] })}
      />
    </div>
  )
}
