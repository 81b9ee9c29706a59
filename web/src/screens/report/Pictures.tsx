// The scene at some frames, as pictures that paper has too.

import { useEffect, useState } from 'preact/hooks'
import { Loading } from '../../ui/empty'
import type { Store } from '../capture/data/store'
import type { Measure } from '../capture/measure/measure'
import type { Mark } from '../capture/plots/events'
import { light } from '../capture/scene/colours'
import { coloursOf, recordingOf } from '../capture/scene/points'
import { rulersOf } from '../capture/scene/rulers'
import type { Up } from '../capture/scene/up'
import { outputsOf } from '../capture/skeleton/outputs'
import type { Bones } from '../capture/skeleton/use'
import type { Channel, Motion } from '../capture/types'
import { seconds } from '../capture/words'
import { rowOf, timeOf } from './rows'

interface Props {
  motion: Motion
  points: Channel[]
  bones: Bones
  /** What is measured between the points. */
  measures: readonly Measure[]
  store: Store | null
  frames: readonly number[]
  marks: readonly Mark[]
  /** Where the camera stands; null for the whole, from the front. */
  camera: readonly number[] | null
  up: Up | null
}

const [width, height] = [420, 300]

export function Pictures({ motion, points, bones, measures, store, frames, marks, camera, up }: Props) {
  const [made, setMade] = useState<{ of: string; pictures: Map<number, string> } | null>(null)
  const [problem, setProblem] = useState('')
  const wanted = JSON.stringify([frames, camera, up])
  useEffect(() => {
    if (!store) return
    let gone = false
    void import('../capture/scene/view').then(({ View }) => {
      if (gone) return
      const [sheet, over] = [document.createElement('canvas'), document.createElement('canvas')]
      const found = recordingOf(motion, points, store, bones.drawn)
      let view: InstanceType<typeof View> | null = null
      try {
        view = new View(sheet, over, found.recording, up ?? found.up, light, false)
        view.resize(width, height, 2)
        view.paint(coloursOf(points, 'side', light), light)
        const outputs = outputsOf(bones.points)
        if (outputs.includes(false)) view.hide(outputs)
        const names = points.map((p) => p.name)
        view.rule(rulersOf(measures, names, motion.metres > 0))
        const pictures = new Map<number, string>()
        for (const [n, frame] of frames.entries()) {
          view.show(Math.max(0, store.nearest(frame)))
          if (n === 0) camera ? view.stand(camera) : view.look('home')
          view.show(Math.max(0, store.nearest(frame)))
          view.draw()
          pictures.set(frame, joined(sheet, over).toDataURL('image/png'))
        }
        setMade({ of: wanted, pictures })
      } catch (thrown) {
        setProblem(thrown instanceof Error ? thrown.message : String(thrown))
      } finally {
        view?.dispose()
      }
    })
    return () => {
      gone = true
    }
  }, [store, wanted, bones.drawn, measures])
  if (problem) return <p class="notice small">The scene could not be pictured: {problem}</p>
  if (made?.of !== wanted) return <Loading what="Picturing the scene" />
  return (
    <section class="stack" aria-labelledby="pictures-title">
      <h2 id="pictures-title">Scene</h2>
      <div class="pictures">
        {frames.map((frame) => {
          const at = marks.filter((m) => rowOf(motion, m.time) === frame).map((m) => m.label)
          const time = timeOf(motion, frame)
          const what = [...new Set(at), `frame ${frame}`, ...(time === null ? [] : [seconds(time)])].join(', ')
          return (
            <figure key={frame}>
              <img src={made.pictures.get(frame)} width={width} height={height} alt={`The scene at ${what}`} />
              <figcaption class="small" dir="auto">
                {what}
              </figcaption>
            </figure>
          )
        })}
      </div>
    </section>
  )
}

/** joined is the scene and what stands above it as one picture. */
function joined(...sheets: HTMLCanvasElement[]): HTMLCanvasElement {
  const { width, height } = sheets[0]!
  const one = Object.assign(document.createElement('canvas'), { width, height })
  const pen = one.getContext('2d')
  for (const sheet of sheets) pen?.drawImage(sheet, 0, 0, width, height)
  return one
}
