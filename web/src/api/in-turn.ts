// Many calls, some at a time.

import { sleep } from 'kinebase/retry'
import { Problem } from './problem'

/** inTurn does something with each of a list, several at a time. What is thrown ends it. */
export async function inTurn<T>(
  all: readonly T[],
  atATime: number,
  act: (one: T) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < all.length && !signal.aborted) await act(all[next++]!)
  }
  await Promise.all(Array.from({ length: Math.min(atATime, all.length) }, worker))
}

/** How often what the server has no time for is asked again. */
const tries = 4

/** patient calls again what fails for a passing reason, after the time that the server names. */
export async function patient(act: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let n = 1; ; n++) {
    try {
      return await act()
    } catch (thrown) {
      const problem = Problem.from(thrown)
      if (signal.aborted || !problem.passing || n === tries) throw problem
      await sleep(1000 * (problem.retryAfter ?? n), signal)
    }
  }
}
