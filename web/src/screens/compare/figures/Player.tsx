// One player for two figures: the scenes, what is shown of each, and the controls.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Controls } from '../../capture/Controls'
import { useMedia } from '../../capture/media'
import { Player as Time } from '../../capture/player'
import { css, dark, light } from '../../capture/scene/colours'
import { seenOf } from '../../capture/seen'
import { useLoop } from '../../capture/use-loop'
import { metres, seconds } from '../../capture/words'
import type { Figures } from '../address'
import type { Mark } from '../trial'
import { Panes } from './Panes'
import { Posed, type Source } from './posed'
import { timelineOf } from './timeline'

interface Props {
  sources: readonly [Source, Source]
  /** The moment that is 0 for both, on the clock of each. */
  moments: readonly [number, number]
  marks: readonly [readonly Mark[], readonly Mark[]]
  figures: Figures
}

let scenes = 0 // that there have been

export function Player({ sources, moments, marks, figures }: Props) {
  const [a, b] = sources
  const [ma, mb] = moments
  const player = useMemo(() => {
    const one = new Time(timelineOf([a.rows, b.rows], [ma, mb]))
    const { frame } = seenOf(new URLSearchParams(location.search))
    one.seek(frame ?? one.rowAt(0))
    return one
  }, [a.rows, b.rows, ma, mb])
  const loop = useLoop(player)
  const posed = useMemo(
    () => [new Posed(a, ma, figures.hold), new Posed(b, mb, figures.hold)] as const,
    [a, b, ma, mb, figures.hold],
  )
  const events = useMemo(
    () => marks.flatMap((all, i) => all.map((m) => ({ frame: frameOf(player, m.time - moments[i]!) }))),
    [player, marks[0], marks[1]],
  )
  // A scene ends with its canvas: other ones have another.
  const scene = useMemo(() => ++scenes, [posed, figures.lay])
  const lacking = [...new Set(posed.flatMap((p) => p.lacking))]
  return (
    <div class="stage">
      <Panes key={scene} posed={posed} figures={figures} player={player} loop={loop} events={events} />
      <Controls player={player} events={events} loop={loop} store={null} />
      <Legend posed={posed} player={player} unit={a.motion.metres > 0} at={figures.at} />
      {lacking.map((text) => (
        <p key={text} class="notice small" dir="auto">
          {text}
        </p>
      ))}
    </div>
  )
}

/** frameOf is the frame of the player nearest to a time; null outside of all of them. */
function frameOf(player: Time, time: number): number | null {
  const { start, rate, rows } = player.clock
  const row = Math.round((time - start) * rate!)
  return row >= 0 && row < rows ? row : null
}

/** Legend says which colour is which capture, and what is shown of each. */
function Legend({ posed, player, unit, at }: { posed: readonly Posed[]; player: Time; unit: boolean; at: string }) {
  const palette = useMedia('(prefers-color-scheme: dark)') ? dark : light
  const [, draw] = useState(0)
  const last = useRef(0)
  useEffect(() => {
    const show = () => {
      const now = performance.now()
      if (player.playing && now - last.current < 100) return
      last.current = now
      draw((n) => n + 1)
    }
    const off = [player.onRow(show), player.onChange(show)]
    return () => off.forEach((f) => f())
  }, [player])
  const time = player.timeOf(player.row)
  for (const p of posed) p.show(p.moment + time)
  const [p, q] = posed.map((one) => one.pelvis)
  const apart = Math.hypot(p![0] - q![0], p![1] - q![1], p![2] - q![2])
  const sign = time < 0 ? 'before' : 'after'
  return (
    <div class="figures-legend">
      <ul aria-label="Figures">
        {posed.map((one, i) => (
          <li key={i}>
            <i style={{ background: css(palette.subjects[i]!) }} />
            <span dir="auto">{one.source.name}</span>
            <output class="mono small">
              {one.row >= 0
                ? `${seconds(one.source.rows.timeOf(one.row))}, frame ${one.row}`
                : time + one.moment < one.source.rows.first
                  ? 'has not begun'
                  : 'has ended'}
            </output>
          </li>
        ))}
      </ul>
      <p class="quiet small">
        {seconds(Math.abs(time))} {sign} {at ? `“${at}”` : 'the first frame'}
        {unit && apart - apart === 0 && `; the pelvises are ${metres(apart)} apart`}
      </p>
    </div>
  )
}
