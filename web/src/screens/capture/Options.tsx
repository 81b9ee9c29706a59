// Options of the scene.

import type { Colouring } from './scene/points'
import { ups, type Up } from './scene/up'
import type { Channel, Motion } from './types'

/** Looks is what was chosen. */
export interface Looks {
  labels: boolean
  trail: number // seconds
  by: Colouring
  chosen: number // place of a point, -1 for none
  forces: boolean // the arrows of force platforms
  outputs: boolean // the points that a model puts out
}

interface Props {
  motion: Motion
  points: Channel[]
  outputs: readonly boolean[] // which of them a model puts out
  several: boolean // there are several subjects
  looks: Looks
  forces: boolean // there are some
  set: (more: Partial<Looks>) => void
  up: Up | null
  found: Up | null // what was found to be up before anybody chose
  turnUp: (to: Up) => void
}

const trails: [number, string][] = [
  [0, 'Off'],
  [0.1, '0.1 s'],
  [0.25, '0.25 s'],
  [0.5, '0.5 s'],
  [1, '1 s'],
  [2, '2 s'],
]

export function Options({ motion, points, outputs, several, looks, forces, set, up, found, turnUp }: Props) {
  return (
    <div class="stage-options">
      <label>
        Trails
        <select value={looks.trail} onChange={(e) => set({ trail: Number(e.currentTarget.value) })}>
          {trails.map(([seconds, name]) => (
            <option key={seconds} value={seconds}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Point
        <select value={looks.chosen} onChange={(e) => set({ chosen: Number(e.currentTarget.value) })}>
          <option value={-1}>None</option>
          {points.map(
            (p, i) =>
              (looks.outputs || !outputs[i] || i === looks.chosen) && (
                <option key={p.name} value={i}>
                  {p.name}
                </option>
              ),
          )}
        </select>
      </label>
      <label>
        Colours
        <select value={looks.by} onChange={(e) => set({ by: e.currentTarget.value as Colouring })}>
          <option value="side">Left and right</option>
          <option value="subject">{several ? 'Subjects' : 'One'}</option>
        </select>
      </label>
      <label>
        Up
        <select value={up ?? '+z'} onChange={(e) => turnUp(e.currentTarget.value as Up)}>
          {ups.map((axis) => (
            <option key={axis} value={axis}>
              {axis.toUpperCase()}
              {axis === found ? (motion.up === axis ? ' (file)' : ' (found)') : ''}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input type="checkbox" checked={looks.labels} onChange={(e) => set({ labels: e.currentTarget.checked })} />{' '}
        Names
      </label>
      {outputs.includes(true) && (
        <label class="check">
          <input type="checkbox" checked={looks.outputs} onChange={(e) => set({ outputs: e.currentTarget.checked })} />{' '}
          Model points ({outputs.filter(Boolean).length})
        </label>
      )}
      {forces && (
        <label class="check">
          <input type="checkbox" checked={looks.forces} onChange={(e) => set({ forces: e.currentTarget.checked })} />{' '}
          Forces
        </label>
      )}
    </div>
  )
}
