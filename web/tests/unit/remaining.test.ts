import { expect, test } from 'vitest'
import { remaining } from '../../src/ui/remaining'

test('what remains is told in steps that people understand', () => {
  const told = [null, 0, 4, 5, 11, 54, 55, 60, 61, 3540, 3599, 3600, 7201].map(remaining)
  expect(told).toEqual([
    '',
    'a few seconds left',
    'a few seconds left',
    'about 5 seconds left',
    'about 15 seconds left',
    'about 55 seconds left',
    'about 1 minute left',
    'about 1 minute left',
    'about 2 minutes left',
    'about 59 minutes left',
    'about 60 minutes left',
    'about 1 hour left',
    'about 3 hours left',
  ])
})
