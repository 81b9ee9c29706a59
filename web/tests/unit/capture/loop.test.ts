import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Loop } from '../../../src/screens/capture/loop'
import { Player } from '../../../src/screens/capture/player'

/** What was asked of the screen, and not given yet. */
let asked = new Map<number, FrameRequestCallback>()
let last = 0

/** One picture of the screen, at a time in milliseconds. */
function picture(now: number): void {
  const all = [...asked.values()]
  asked.clear()
  for (const draw of all) draw(now)
}

beforeEach(() => {
  asked = new Map()
  vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) => {
    asked.set(++last, draw)
    return last
  })
  vi.stubGlobal('cancelAnimationFrame', (id: number) => asked.delete(id))
})
afterEach(() => vi.unstubAllGlobals())

const clock = { rows: 10_000, start: 0, rate: 100, time: null }

describe('the loop', () => {
  test('asks for one picture at a time while it plays, and keeps pace with the clock on the wall', () => {
    const player = new Player(clock)
    const loop = new Loop(player)
    let drawn = 0
    // A camera that moves wants the next picture while this one is drawn.
    loop.attach({ draw: () => { drawn++; loop.want(); return true } })
    player.play()
    for (let n = 0; n <= 100; n++) {
      expect(asked.size).toBe(1)
      picture(1000 + 16 * n)
    }
    expect(drawn).toBe(101)
    expect(player.row).toBe(160) // 1.6 s
  })

  test('draws each row once, however many pictures of the screen it stands for', () => {
    const player = new Player({ ...clock, rate: 10 })
    const loop = new Loop(player)
    const rows: number[] = []
    loop.attach({ draw: () => { rows.push(player.row); return false } })
    player.play()
    for (let n = 0; n <= 60; n++) {
      expect(asked.size).toBe(1)
      picture(1000 + 17 * n)
    }
    expect(rows).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) // 1.02 s
  })

  test('stands when nothing moves, and goes on when something is wanted', () => {
    const loop = new Loop(new Player(clock))
    let drawn = 0
    loop.attach({ draw: () => { drawn++; return false } })
    picture(1000)
    expect([drawn, asked.size]).toEqual([1, 0])
    loop.want()
    loop.want()
    expect(asked.size).toBe(1)
    picture(2000)
    expect([drawn, asked.size]).toEqual([2, 0])
  })

  test('tells once that a first picture is seen: when the frame after it begins', () => {
    const loop = new Loop(new Player(clock))
    let told = 0
    loop.want()
    picture(1000) // without a view there is none
    loop.attach({ draw: () => false }, () => told++)
    picture(2000)
    expect(told).toBe(0)
    picture(3000)
    expect(told).toBe(1)
    loop.want()
    picture(4000)
    expect([told, asked.size]).toEqual([1, 0])
  })

  test('that has ended asks for nothing any more, whoever still tells it something', () => {
    for (const inside of [false, true]) {
      const player = new Player(clock)
      const loop = new Loop(player)
      loop.attach({ draw: () => { if (inside) loop.dispose(); return true } })
      player.play()
      picture(1000)
      loop.dispose()
      loop.attach(null)
      player.seek(7)
      loop.want()
      expect(asked.size).toBe(0)
    }
  })
})
