// Which points are drawn joined. Where the file says so, as it does; otherwise by
// the names of the marker sets in use (Plug-in Gait and CGM, Helen Hayes, OpenSim's,
// the 41 markers of Vicon and CMU) and by the joints of skeletons.

import { place, type Place, type Side } from './names'

export interface NamedPoint {
  name: string // of the channel
  label: string // as it was written, where the channel's was made distinct
  subject: string | null
}

export type Bone = [from: number, to: number]

// An edge joins the first place that is there on either side of it. ? stands for
// each side in turn. A place in brackets is skipped where something nearer is there.
type Edge = [from: string, to: string]

// Markers on the skin, and joints called by plain words.
const body: Edge[] = [
  // legs
  ['?hip ?asis', '?knee'],
  ['?knee', '?ankle'],
  ['?ankle', '?heel'],
  ['?ankle', '?toe ?mt1 ?mt5'],
  ['?heel', '?toe ?mt1 ?mt5'],
  ['?heel', '?mt5'],
  ['?mt5', '?toe'],
  ['?mt1', '?toe'],
  ['?knee', '?kneemed ?knm ?mfc'],
  ['?ankle', '?anklemed ?med ?mmal'],
  // pelvis
  ['left.asis', 'right.asis'],
  ['?asis', '?psis sacrum'],
  ['left.psis', 'right.psis'],
  ['?psis', 'sacrum'],
  ['?hip', 'pelvis'],
  ['left.hip', 'right.hip'],
  // trunk
  ['c7', 't10 sacrum'],
  ['t10', 'sacrum pelvis ?psis'],
  ['clavicle', 'sternum'],
  ['c7', 'clavicle'],
  ['?shoulder', 'c7'],
  ['?shoulder', 'clavicle sternum neck'],
  ['sternum', '?asis'],
  ['pelvis', 'spine chest neck'],
  ['neck', 'head'],
  ['head', 'headtop'],
  ['neck', 'nose'],
  ['head', 'nose'],
  ['chest', 'neck'],
  ['chest', '?collar'],
  ['?collar', '?shoulder'],
  // arms
  ['?shoulder', '?elbow'],
  ['?elbow', '?wrist ?wristmed'],
  ['?wrist', '?wristmed'],
  ['?elbow', '?wristmed'],
  ['?wrist', '?hand'],
  ['?wristmed', '?hand'],
  // head
  ['left.headfront', 'right.headfront'],
  ['left.headback', 'right.headback'],
  ['?headfront', '?headback'],
  ['?headback', 'c7'],
  ['?temple', 'headtop'],
  ['left.temple', 'right.temple'],
  ['?eye', 'nose'],
  ['?eye', '?ear'],
]

// Where nothing of the trunk is known, its flanks stand for it.
const trunk = ['sacrum', 'pelvis', 'sternum', 't10', 'c7', 'spine', 'chest']
const flanks: Edge[] = [['?shoulder', '?hip ?asis']]

// Joints of skeletons as games and mocap programs call them: an arm begins at Arm,
// and Shoulder is the collar bone.
const joints: Edge[] = [
  ['pelvis', 'spine spine1 lowerback'],
  ['lowerback', 'spine'],
  ['spine', 'spine1 spine01 neck'],
  ['spine1', 'spine2 spine02 neck'],
  ['spine01', 'spine02'],
  ['spine2', 'spine3 neck'],
  ['spine02', 'spine03 neck'],
  ['spine3', 'spine4 neck'],
  ['spine03', 'neck'],
  ['spine4', 'neck'],
  ['neck', 'neck1 head'],
  ['neck1', 'head'],
  ['head', 'headtop'],
  ['spine4 spine3 spine03 spine2 spine02 spine1 spine01 spine', '?shoulder ?clavicle ?arm ?upperarm'],
  ['?shoulder ?clavicle', '?arm ?upperarm'],
  ['?arm ?upperarm', '?forearm ?lowerarm'],
  ['?forearm ?lowerarm', '?hand ?wrist'],
  ['?hand', '?handend ?handmiddle1 ?handindex1'],
  ['pelvis', '?hip ?thigh'],
  ['?hip ?thigh', '?leg ?calf'],
  ['?leg ?calf', '?foot'],
  ['?foot', '?toe ?ball'],
  ['?toe', '?toeend ?toebaseend'],
]

// Segments as models put them out: an origin O and the far end P of the long axis.
const segment = /^([LR]?(?:PEL|FE|TI|FO|TO|HU|RA|HN|CL|HED|TRX|THO|SAC))O$/i

interface Seen {
  place: Place
  index: number
}

/** The bones among points, each pair once. */
export function bones(points: NamedPoint[], told: [string, string][]): Bone[] {
  if (told.length > 0) {
    const places = new Map(points.map((p, i) => [p.name, i]))
    return told.flatMap(([from, to]): Bone[] => {
      const a = places.get(from)
      const b = places.get(to)
      return a === undefined || b === undefined ? [] : [[a, b]]
    })
  }
  const subjects = new Map<string, Seen[]>()
  points.forEach((p, index) => {
    const seen = subjects.get(p.subject ?? '') ?? []
    seen.push({ place: place(p.label), index })
    subjects.set(p.subject ?? '', seen)
  })
  const all: Bone[] = []
  for (const seen of subjects.values()) all.push(...guess(seen))
  const names = new Map(points.map((p, i) => [`${p.subject ?? ''}:${p.label.toUpperCase()}`, i]))
  points.forEach((p, i) => {
    const origin = segment.exec(p.label)
    const far = origin && names.get(`${p.subject ?? ''}:${origin[1]!.toUpperCase()}P`)
    if (typeof far === 'number') all.push([i, far])
  })
  return all
}

/** Fewer bones than this are an accident of names. */
const least = 3

// Things that hands hold, each a subject of two ends: a club, a bat, a racket, a stick.
const held: [string, string][] = [
  ['grip', 'head'],
  ['handle', 'head'],
  ['knob', 'tip'],
  ['knob', 'barrel'],
  ['handle', 'tip'],
  ['grip', 'tip'],
  ['bottom', 'top'],
  ['proximal', 'distal'],
]

function guess(seen: Seen[]): Bone[] {
  if (seen.length >= 2 && seen.length <= 4) {
    for (const [from, to] of held) {
      const a = seen.find((s) => s.place.part === from)
      const b = seen.find((s) => s.place.part === to)
      if (a && b) return [[a.index, b.index]]
    }
  }
  const places = new Map<string, number>()
  for (const { place: p, index } of seen) {
    const key = `${p.side}.${p.part}`
    if (!places.has(key)) places.set(key, index)
  }
  const skeleton =
    places.has('left.leg') || places.has('left.calf') || (places.has('left.arm') && places.has('left.forearm'))
  const found = join(
    places,
    skeleton ? joints : trunk.some((part) => places.has(`middle.${part}`)) ? body : [...body, ...flanks],
  )
  return found.length < least ? [] : found
}

function join(places: Map<string, number>, edges: Edge[]): Bone[] {
  const all: Bone[] = []
  const have = new Set<string>()
  const find = (ways: string, side: Side): number | undefined => {
    for (const way of ways.split(' ')) {
      const key = way.startsWith('?') ? `${side}.${way.slice(1)}` : way.includes('.') ? way : `middle.${way}`
      const at = places.get(key)
      if (at !== undefined) return at
    }
    return undefined
  }
  for (const [from, to] of edges) {
    const sides: Side[] = `${from} ${to}`.includes('?') ? ['left', 'right'] : ['middle']
    for (const side of sides) {
      const a = find(from, side)
      const b = find(to, side)
      if (a === undefined || b === undefined || a === b) continue
      const key = a < b ? `${a}-${b}` : `${b}-${a}`
      if (have.has(key)) continue
      have.add(key)
      all.push([a, b])
    }
  }
  return all
}

/** The side that a bone lies on. */
export function sideOf(label: string): Side {
  return place(label).side
}
