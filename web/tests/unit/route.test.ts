// What the address says of the place in a list.
import { describe, expect, test } from 'vitest'

Object.assign(globalThis, { location: new URL('http://localhost/'), addEventListener: () => undefined })
const { offsetOf } = await import('../../src/route')

describe('the place in a list', () => {
  test.each([
    ['', 0], ['offset=', 0], ['offset=0', 0], ['offset=50', 50], ['offset=0050', 50], ['offset=9007199254740991', 9007199254740991],
    ['offset=9007199254740992', 0], ['offset=1e300', 0], ['offset=1e2', 0], ['offset=-1', 0], ['offset=1.5', 0], ['offset=50x', 0],
    ['offset=0x10', 0], ['offset=%2050', 0], ['offset=Infinity', 0], [`offset=${'9'.repeat(400)}`, 0],
  ])('of %s is %d', (query, offset) => {
    expect(offsetOf(new URLSearchParams(query))).toBe(offset)
  })
})
