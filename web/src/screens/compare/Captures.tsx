import { visiting } from '../../api/request'
import type { Problem } from '../../api/problem'
import { things } from '../../ui/text'
import { isOff, type Comparison } from './address'
import type { Lacking } from './lines'
import type { Trial } from './trial'

interface Props {
  comparison: Comparison
  trials: ReadonlyMap<string, Trial>
  problems: ReadonlyMap<string, Problem>
  lacking: readonly Lacking[]
  change: (to: Partial<Comparison>) => void
}

/** Captures lists what is compared: what each shows, what it lacks, and a way to take it out. */
export function Captures({ comparison: c, trials, problems, lacking, change }: Props) {
  const toggle = (capture: string, column: string) =>
    change({
      off: isOff(c, capture, column)
        ? c.off.filter((o) => o.capture !== capture || o.column !== column)
        : [...c.off, { capture, column }],
    })
  return (
    <section class="card stack" aria-labelledby="captures-title">
      <div class="head">
        <h2 id="captures-title">Captures</h2>
        <span class="quiet small">{things(c.captures.length, 'capture')}</span>
      </div>
      <ul class="compared">
        {c.captures.map((id) => {
          const trial = trials.get(id)
          const problem = problems.get(id)
          const has = new Set(trial?.channels.flatMap((one) => one.columns))
          return (
            <li key={id}>
              <div class="row">
                {visiting() ? (
                  <span dir="auto">{trial?.name ?? id}</span>
                ) : (
                  <a href={`/captures/${encodeURIComponent(id)}`} dir="auto">
                    {trial?.name ?? id}
                  </a>
                )}
                <button
                  type="button"
                  class="close no-print"
                  aria-label={`Take ${trial?.name ?? id} out of the comparison`}
                  onClick={() =>
                    change({
                      captures: c.captures.filter((one) => one !== id),
                      off: c.off.filter((o) => o.capture !== id),
                    })
                  }
                >
                  ×
                </button>
              </div>
              {trial && (
                <div class="quiet small dots">
                  {[trial.whose, trial.day, trial.movement].filter(Boolean).map((text) => (
                    <span key={text} dir="auto">
                      {text}
                    </span>
                  ))}
                </div>
              )}
              {problem && <p class="small odd">{problem.message}</p>}
              {trial && c.columns.length > 0 && (
                <div class="row shown no-print">
                  {c.columns
                    .filter((name) => has.has(name))
                    .map((name) => (
                      <label key={name} class="check small">
                        <input
                          type="checkbox"
                          checked={!isOff(c, id, name)}
                          aria-label={`${name} of ${trial.name}`}
                          onChange={() => toggle(id, name)}
                        />
                        <span>{name}</span>
                      </label>
                    ))}
                </div>
              )}
              {[...new Set(lacking.filter((l) => l.trial.id === id).map((l) => l.why))].map((why) => (
                <p key={why} class="small odd" dir="auto">
                  {why}
                </p>
              ))}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
