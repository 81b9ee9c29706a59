// Names that can be written into the form of an export: those of the newest capture that fits.
import type { Good } from '../../api/request'

type Motion = Good<'/captures/{captureId}/motion'>

/** Known is names of columns and of events. */
export interface Known {
  columns: readonly string[]
  events: readonly string[]
}

/** knownOf names what can be a column, of whole captures the metrics alone, and the events whose frame can be asked for. */
export function knownOf(motion: Motion | null, wholeCaptures: boolean): Known {
  if (motion === null) return { columns: [], events: [] }
  const { channels, events, metrics, computed } = motion
  const measured = [
    ...metrics.map((m) => columnOf(m.context, m.name)),
    ...(computed?.metrics ?? []).map((m) => m.column),
  ]
  const moments = [...events.map((e) => columnOf(e.context, e.label)), ...(computed?.events ?? []).map((e) => e.column)]
  return {
    columns: wholeCaptures ? [...new Set(measured)] : channels.flatMap((c) => c.columns),
    events: [...new Set(moments)],
  }
}

/** columnOf is the column of an event or a metric of a file in an export. */
function columnOf(context: string, label: string): string {
  const text = context && context.toLowerCase() !== 'general' ? `${context} ${label}` : label
  return (
    text
      .toLowerCase()
      .split(/[^\p{L}\p{Nd}]+/u)
      .filter(Boolean)
      .join('_') || 'event'
  )
}
