// The numbers of a comparison as CSV, with all their digits.

import type { Group } from './bands'
import type { Table } from './metrics'

type Cells = (string | number | null)[]

const cell = (v: number): number | null => (Number.isNaN(v) ? null : v)

/** linesTable has a row for each point of each line. */
export function linesTable(groups: readonly Group[]): Cells[] {
  const rows: Cells[] = [['group', 'session_id', 'file_name', 'column', 'unit', 'cycle', 'x', 'value']]
  for (const g of groups) {
    for (const l of g.lines) {
      for (let i = 0; i < l.x.length; i++) {
        rows.push([g.name, l.trial.id, l.trial.name, l.column, l.unit, l.cycle, l.x[i]!, cell(l.y[i]!)])
      }
    }
  }
  return rows
}

/** meansTable has a row for each point of each mean. */
export function meansTable(groups: readonly Group[]): Cells[] {
  const rows: Cells[] = [['group', 'unit', 'x', 'mean', 'sd', 'lines']]
  for (const { name, unit, band } of groups) {
    if (!band) continue
    for (let i = 0; i < band.x.length; i++) {
      rows.push([name, unit, band.x[i]!, cell(band.mean[i]!), cell(band.sd[i]!), band.n])
    }
  }
  return rows
}

/** metricsTable has a row for each metric and group. */
export function metricsTable(table: Table): Cells[] {
  const head = 'metric,unit,source,group,captures_with_value,mean,sd,difference,difference_sd,paired_athletes'
  return [
    head.split(','),
    ...table.rows.flatMap((r) =>
      r.cells.map((c, n): Cells => {
        const d = c.difference
        return [
          r.name,
          r.unit,
          r.source,
          table.groups[n]!.name,
          c.spread?.n ?? 0,
          c.spread?.mean ?? null,
          c.spread?.sd ?? null,
          d?.value ?? null,
          d?.sd ?? null,
          d?.pairs ?? null,
        ]
      }),
    ),
  ]
}
