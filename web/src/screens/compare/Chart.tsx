// The chart of a comparison, with what its groups are and have at the cursor.

import { useMemo, useRef } from 'preact/hooks'
import { valueAt } from '../../curves/course'
import { Button } from '../../ui/button'
import { nearest } from '../../curves/sorted'
import { useCursor } from '../../ui/figure/cursor'
import { dashOf, figureOf, inkOf, xOf, type Drawn, type Filled } from '../../ui/figure/figure'
import { pictureOf } from '../../ui/figure/png'
import { Marks } from '../../ui/figure/svg'
import { save, saveTable } from '../../ui/save'
import { things } from '../../ui/text'
import { tell } from '../../ui/toast'
import { useWidth } from '../../ui/width'
import type { Comparison } from './address'
import type { Group } from './bands'
import { linesTable, meansTable } from './saved'
import { deviation, told } from '../capture/words'
import { axisOf, unitsOf } from './words'

const height = 420

/** drawnOf is what is drawn of groups: their lines, their means, or both. */
function drawnOf(c: Comparison, groups: readonly Group[]): { lines: Drawn[]; areas: Filled[] } {
  const lines: Drawn[] = []
  const areas: Filled[] = []
  groups.forEach((g, series) => {
    const mean = g.band && g.lines.length > 1 && c.show !== 'lines' ? g.band : null
    // A mean that is nowhere would leave an empty chart.
    if (c.show !== 'mean' || !mean) {
      for (const l of g.lines) lines.push({ x: l.x, y: l.y, series, width: 1.3, opacity: mean ? 0.35 : 0.9 })
    }
    if (mean) {
      lines.push({ x: mean.x, y: mean.mean, series, width: 2.6, opacity: 1 })
      const side = (sign: number) => mean.mean.map((m, i) => m + sign * mean.sd[i]!)
      areas.push({ x: mean.x, low: side(-1), high: side(1), series })
    }
  })
  return { lines, areas }
}

export function Chart({ comparison, groups }: { comparison: Comparison; groups: readonly Group[] }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, 900)
  const title = [...new Set(groups.flatMap((g) => g.lines.map((l) => l.column)))].join(', ')
  const figure = useMemo(
    () =>
      figureOf({ width, height, ...drawnOf(comparison, groups), xText: axisOf(comparison), yText: unitsOf(groups) }),
    [width, comparison, groups],
  )
  // Along frames and per cent there is a value at whole numbers.
  const cursor = useCursor(figure, comparison.over === 'time' ? null : 1)
  const names = groups.map((g) => `${g.name} (${size(g)})`)
  const x = cursor.at === null ? 0 : xOf(figure, cursor.at)
  const means = groups.some((g) => g.band && g.lines.length > 1)
  return (
    <section class="card stack" aria-label="Chart">
      <div
        ref={box}
        class="figure"
        role="img"
        tabIndex={0}
        aria-label={`${title}: ${axisOf(comparison)}. Arrow keys move the cursor.`}
        {...cursor.on}
      >
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          <Marks figure={figure} />
          {cursor.at !== null && <path class="cursor" d={`M${x} ${figure.top}V${figure.bottom}`} />}
        </svg>
      </div>
      <ul class="legend" aria-label="In the chart">
        {groups.map((g, n) => (
          <li key={n}>
            <svg class="swatch" viewBox="0 0 28 12" aria-hidden="true">
              <path class={`line ${inkOf(n)}`} d="M1 6h26" stroke-dasharray={dashOf(n) || undefined} />
            </svg>
            <span dir="auto">{g.name}</span>
            <span class="quiet small">{size(g)}</span>
            {cursor.at !== null && <output class="mono small">{readAt(g, cursor.at)}</output>}
          </li>
        ))}
      </ul>
      {cursor.at !== null && (
        <p class="quiet small">
          At {told(cursor.at)}: {means ? 'mean ± SD' : 'the value'}
        </p>
      )}
      <Notices groups={groups} comparison={comparison} />
      <div class="row no-print">
        <Button
          onClick={() =>
            void pictureOf(figure, title, names).then(
              (picture) => save('comparison.png', picture),
              (thrown: unknown) => tell(String(thrown)),
            )
          }
        >
          PNG
        </Button>
        <Button onClick={() => saveTable('comparison-lines.csv', linesTable(groups))}>CSV of lines</Button>
        {means && <Button onClick={() => saveTable('comparison-means.csv', meansTable(groups))}>CSV of means</Button>}
      </div>
    </section>
  )
}

function size(g: Group): string {
  const captures = new Set(g.lines.map((l) => l.trial.id)).size
  const cycles = g.lines.some((l) => l.cycle !== null) ? `${things(g.lines.length, 'cycle')} of ` : ''
  return cycles + things(captures, 'capture')
}

function readAt(g: Group, at: number): string {
  if (g.band && g.lines.length > 1) {
    const i = nearest(g.band.x, at)
    const [mean, sd] = [g.band.mean[i] ?? NaN, g.band.sd[i] ?? NaN]
    return `${told(mean)} ± ${deviation(sd, mean)}`
  }
  const only = g.lines.length === 1 ? g.lines[0]! : null
  return only ? told(valueAt({ time: only.x, values: only.y }, at)) : ''
}

/** Notices says what the means leave out, and what the chart has that does not belong together. */
function Notices({ groups, comparison }: { groups: readonly Group[]; comparison: Comparison }) {
  const wanted = comparison.show !== 'lines'
  const why = wanted ? [...new Set(groups.filter((g) => g.lines.length > 1).map((g) => g.why))].filter(Boolean) : []
  const units = new Set(groups.map((g) => g.unit))
  const gaps = wanted ? groups.filter((g) => g.lines.length > 1 && g.band && g.band.gaps > 0) : []
  return (
    <>
      {units.size > 1 && (
        <p class="notice small">One axis has {unitsOf(groups)}: lines of different units cannot be compared.</p>
      )}
      {why.map((text) => (
        <p key={text} class="notice small">
          No mean is drawn. {text}
        </p>
      ))}
      {gaps.map((g) => (
        <p key={g.name} class="notice small" dir="auto">
          {g.name}: {g.band!.gaps} of {g.band!.x.length} points have no mean, because a gap is there in{' '}
          {[...new Set(g.lines.filter((l) => l.y.some(Number.isNaN)).map((l) => l.trial.name))].slice(0, 5).join(', ')}.
        </p>
      ))}
    </>
  )
}
