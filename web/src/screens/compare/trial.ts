// Facts of a capture that are read before its numbers.

import type { Good } from '../../api/request'
import { get, visiting } from '../../api/request'
import type { Moment } from '../../curves/spans'
import { date, label } from '../../ui/text'
import { eventsOf, marksOf, severalOf, sideOf } from '../capture/plots/events'
import { platformsOf } from '../capture/platforms'
import type { Side } from '../capture/skeleton/names'
import type { Channel, Motion, MotionEvent } from '../capture/types'

type Capture = Good<'/captures/{captureId}'>

/** Mark is an event of a recording; its frame is null where it lies outside. */
export interface Mark extends Moment {
  frame: number | null
  side: Side
  /** What happened, without the side. */
  what: string
  /** Whose event it is where a recording has those of several subjects; else null. */
  subject: string | null
}

const own = 'own:'

/** ownName is how the event of the side that a channel is on is written in an address; ownOf reads what happened, or null. */
export function ownName(what: string): string {
  return own + what
}

export function ownOf(name: string): string | null {
  return name.startsWith(own) ? name.slice(own.length) : null
}

function markOf(e: MotionEvent, several: boolean): Mark {
  const side = sideOf(e)
  const told = e.context.trim() && sideOf({ context: e.context, label: '' }) !== 'middle'
  const what = told ? e.label : e.label.replace(/\b(left|right)\b[ _.-]*|^[lr][ _.-]+/i, '')
  const name = marksOf([e], several)[0]!.label
  const subject = several ? e.subject : null
  return { name, time: e.time, frame: e.frame, side, what: what.trim().toLowerCase(), subject }
}

/** Trial is a capture in a comparison. */
export interface Trial {
  id: string
  /** What it is called: the name of its file. */
  name: string
  /** The id and the name of its first athlete; null for nobody, or who may not be known. */
  who: string | null
  whose: string | null
  /** The day of its time, as the person's clock has it; null for none. */
  day: string | null
  movement: string
  motion: Motion
  channels: Channel[]
  marks: Mark[]
}

/** aliasOf is what a visitor knows an athlete by, whose name is not shown. */
function aliasOf(id: string | null): string | null {
  return id && `Athlete ${id.slice(0, 4)}`
}

/** trialOf puts together what the interface says of a capture. */
export function trialOf(capture: Capture, motion: Motion): Trial {
  const events = eventsOf(motion.events, motion.computed)
  const several = severalOf(events)
  return {
    id: capture.session_id,
    name: visiting() && capture.athlete_name === undefined ? `Capture ${capture.session_id}` : motion.file_name,
    who: capture.athlete_id,
    whose: capture.athlete_name ?? (visiting() ? aliasOf(capture.athlete_id) : capture.athlete_id),
    day: capture.capture_time && date(capture.capture_time),
    movement: [capture.activity, capture.movement].flatMap((s) => (s === null ? [] : [label(s)])).join(' · '),
    motion,
    channels: [...motion.channels, ...platformsOf(motion)],
    marks: events.map((e) => markOf(e, several)),
  }
}

/** readTrial asks the interface. mayAthletes says whether names may be asked for. */
export async function readTrial(id: string, mayAthletes: boolean, signal: AbortSignal): Promise<Trial> {
  const path = { captureId: id }
  const [capture, motion] = await Promise.all([
    get('/captures/{captureId}', { path, query: { include: mayAthletes ? 'athlete' : undefined }, signal }),
    get('/captures/{captureId}/motion', { path, signal }),
  ])
  return trialOf(capture, motion)
}
