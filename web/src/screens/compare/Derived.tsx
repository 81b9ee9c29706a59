import { cutoffs, type Derivation } from '../../curves/derived'
import { Check, Choice } from '../../ui/field'

/** Derived is what is done with courses before they are shown. */
export function Derived({ how, change }: { how: Derivation; change: (to: Derivation) => void }) {
  const { cutoff } = how
  const all = cutoff === null || cutoffs.includes(cutoff) ? cutoffs : [cutoff, ...cutoffs]
  return (
    <>
      <Choice
        label="Smoothing"
        value={cutoff === null ? '' : String(cutoff)}
        options={[['', 'None'] as const, ...all.map((hz) => [String(hz), `Low-pass at ${hz} Hz`] as const)]}
        onChange={(e) => change({ ...how, cutoff: e.currentTarget.value ? Number(e.currentTarget.value) : null })}
      />
      <Check
        label="Slope, by the second"
        checked={how.slope}
        onChange={(e) => change({ ...how, slope: e.currentTarget.checked })}
      />
    </>
  )
}
