// A video in step with the player, and the skeleton over its picture.
import { describe, expect, test } from 'vitest'
import { Store } from '../../../src/screens/capture/data/store'
import { clocksOf, fitted, landmarksOf, linesOf, videosOf } from '../../../src/screens/capture/film/over'
import { follow, type Film } from '../../../src/screens/capture/film/together'
import { Player } from '../../../src/screens/capture/player'
import type { Channel, Motion } from '../../../src/screens/capture/types'

/** A video of so many seconds whose clock the test drives. */
class Tape implements Film {
  currentTime = 0
  playbackRate = 1
  paused = true
  seeking = false
  refused = false
  constructor(readonly duration: number) {}
  play(): Promise<void> {
    if (this.refused) return Promise.reject(new Error('not allowed'))
    this.paused = false
    return Promise.resolve()
  }
  pause(): void {
    this.paused = true
  }
  /** Lets time go by for both. */
  run(player: Player, seconds: number): void {
    for (let t = 0; t < seconds - 1e-9; t += 0.01) {
      if (!this.paused) this.currentTime = Math.min(this.duration, this.currentTime + 0.01 * this.playbackRate)
      player.advance(0.01)
    }
  }
}

const rate = 50
const made = (rows = 200, seconds = 4) => {
  const player = new Player({ rows, start: 0, rate, time: null })
  const tape = new Tape(seconds)
  return { player, tape, following: follow(player, tape) }
}
/** Which picture the tape shows. */
const picture = (tape: Tape) => Math.floor(tape.currentTime * rate + 1e-9)

describe('A video in step with the player', () => {
  test('shows the picture of every row that somebody goes to', () => {
    const { player, tape } = made()
    for (const row of [0, 1, 7, 199, 42, 0]) {
      player.seek(row)
      expect(picture(tape)).toBe(row)
    }
  })
  test('plays along, at any speed, and stands when the player does', () => {
    for (const speed of [0.25, 1, 2]) {
      const { player, tape } = made()
      player.setSpeed(speed)
      player.play()
      tape.run(player, 1)
      expect(tape.paused).toBe(false)
      expect(tape.playbackRate).toBe(speed)
      expect(Math.abs(picture(tape) - player.row)).toBeLessThanOrEqual(4 * Math.max(1, speed))
      player.pause()
      expect(tape.paused).toBe(true)
      expect(picture(tape)).toBe(player.row)
    }
  })
  test('begins again with it', () => {
    const { player, tape } = made()
    player.seek(190)
    player.play()
    tape.run(player, 1)
    expect(player.row).toBeLessThan(60)
    expect(Math.abs(picture(tape) - player.row)).toBeLessThanOrEqual(4)
  })
  test('is set right when it lags behind', () => {
    const { player, tape } = made()
    player.play()
    for (let t = 0; t < 100; t++) player.advance(0.01) // and the tape hangs
    expect(Math.abs(picture(tape) - player.row)).toBeLessThanOrEqual(5)
  })
  test('goes to the last picture that is wanted once it has found the one before', () => {
    const { player, tape, following } = made()
    player.seek(10)
    tape.seeking = true
    player.seek(20)
    player.seek(30)
    expect(picture(tape)).toBe(10)
    tape.seeking = false
    following.again()
    expect(picture(tape)).toBe(30)
  })
  test('that is shorter stands at its end', () => {
    const { player, tape } = made(200, 2)
    player.play()
    tape.run(player, 3)
    expect(tape.paused).toBe(true)
    expect(tape.currentTime).toBe(2)
  })
  test('goes from picture to picture where the browser does not let it play', async () => {
    const { player, tape } = made()
    tape.refused = true
    player.play()
    player.advance(0.1)
    await Promise.resolve()
    await Promise.resolve()
    player.advance(0.5)
    expect(picture(tape)).toBe(player.row)
  })
  test('whose clock is ahead shows what was then', () => {
    const player = new Player({ rows: 100, start: 0.5, rate, time: null })
    const tape = new Tape(4)
    follow(player, tape, 0.2)
    player.seek(10)
    expect(picture(tape)).toBe(45) // 0.5 + 0.2 + 0.2 s
  })
  test('is left alone afterwards', () => {
    const { player, tape, following } = made()
    player.play()
    following.end()
    expect(tape.paused).toBe(true)
    player.seek(100)
    expect(picture(tape)).toBe(0)
  })
})

describe('The skeleton over a video', () => {
  const channel = (name: string, kind: string, unit: string, columns: string[]) => ({ name, kind, unit, columns, subject: null }) as unknown as Channel
  const points = ['hip', 'knee', 'ankle'].map((name) => channel(name, 'point', 'm', [`${name}_x`, `${name}_y`, `${name}_z`]))
  const motion = {
    channels: [
      ...points,
      channel('hip_u', 'analog', 'px', ['hip_u']), channel('hip_v', 'analog', 'px', ['hip_v']),
      channel('knee_u', 'analog', 'px', ['knee_u']), channel('knee_v', 'analog', 'px', ['knee_v']),
      channel('ankle_u', 'analog', 'mm', ['ankle_u']), channel('ankle_v', 'analog', 'px', ['ankle_v']),
    ],
  } as unknown as Motion

  test('has the landmarks of which both places are known in pixels', () => {
    expect(landmarksOf(motion, points)).toEqual([{ point: 0, u: 'hip_u', v: 'hip_v' }, { point: 1, u: 'knee_u', v: 'knee_v' }])
  })
  test('of several people has those of each', () => {
    const second = { ...channel('hip_2', 'point', 'm', ['a', 'b', 'c']), subject: 'person2' } as Channel
    const two = { channels: [...motion.channels, second, channel('person2:hip_u', 'analog', 'px', ['pu']), channel('person2:hip_v', 'analog', 'px', ['pv'])] } as unknown as Motion
    expect(landmarksOf(two, [...points, second])).toContainEqual({ point: 3, u: 'pu', v: 'pv' })
  })
  test('of several cameras has those of each, and their clocks in their order', () => {
    const several = {
      channels: [
        ...points,
        channel('sync_offset_b', 'analog', 's', ['sync_offset_b']), channel('sync_offset_a', 'analog', 's', ['sync_offset_a']),
        ...['u_1', 'v_1', 'u_2', 'v_2'].map((end) => channel(`knee_${end}`, 'analog', 'px', [`knee_${end}`])),
      ],
    } as unknown as Motion
    expect(clocksOf(several)).toEqual(['sync_offset_b', 'sync_offset_a'])
    expect(landmarksOf(several, points, 2)).toEqual([{ point: 1, u: 'knee_u_2', v: 'knee_v_2' }])
    expect(landmarksOf(several, points)).toEqual([])
    expect(videosOf({ videos: [{ session_id: 'a_1' }, { session_id: 'b_1' }] })).toEqual(['a_1', 'b_1'])
    for (const other of [null, 7, {}, { videos: 1 }, { videos: [null, { session_id: 3 }] }]) expect(videosOf(other)).toEqual([])
  })
  test('has a line where both ends were seen', () => {
    const store = new Store(['hip_u', 'hip_v', 'knee_u', 'knee_v'], 2, 1)
    const columns = [[1, 1], [2, 2], [3, Number.NaN], [4, 4]]
    columns.forEach((c, i) => store.columns[i]!.set(c))
    expect(linesOf(store, landmarksOf(motion, points), [[0, 1], [1, 2]], 0)).toEqual([[1, 2, 3, 4]])
    expect(linesOf(store, landmarksOf(motion, points), [[0, 1], [1, 2]], 1)).toEqual([])
  })
  test('lies on the picture, which keeps its proportions', () => {
    expect(fitted(100, 200, 400, 400)).toEqual({ scale: 2, left: 100, top: 0 })
    expect(fitted(200, 100, 400, 400)).toEqual({ scale: 2, left: 0, top: 100 })
  })
})
