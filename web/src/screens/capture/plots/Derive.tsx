import { useState } from 'preact/hooks'
import { plain, type Derivation } from '../../../curves/derived'
import { Button } from '../../../ui/button'
import { Choice } from '../../../ui/field'
import { Derived } from '../../compare/Derived'
import type { Channel } from '../types'

interface Props {
  /** What can be derived of, what is plotted first. */
  channels: readonly Channel[]
  full: boolean
  add: (name: string, how: Derivation) => void
}

/** Derive has a channel smoothed, or its slope, plotted beside it. */
export default function Derive({ channels, full, add }: Props) {
  const names = channels.filter((c) => c.kind !== 'rotation').map((c) => c.name)
  const [chosen, setChosen] = useState<string | null>(null)
  const [how, setHow] = useState<Derivation>({ ...plain, cutoff: 6 })
  const name = chosen !== null && names.includes(chosen) ? chosen : (names[0] ?? '')
  return (
    <div class="stack">
      <Choice
        label="Of"
        value={name}
        options={names.map((n) => [n, n] as const)}
        onChange={(e) => setChosen(e.currentTarget.value)}
      />
      <Derived how={how} change={setHow} />
      <p class="quiet small">
        The low-pass is the one of the computed metrics: Butterworth of the second order, forwards and backwards. Each
        stretch between gaps goes for itself; one of fewer than 16 samples stays as it is. It is stored nowhere but in
        the address.
      </p>
      <div>
        <Button disabled={full || name === '' || (how.cutoff === null && !how.slope)} onClick={() => add(name, how)}>
          Plot it
        </Button>
      </div>
    </div>
  )
}
