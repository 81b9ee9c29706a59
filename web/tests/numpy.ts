// Numbers that numpy computes, to hold those of the console against.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'

const python = new URL('../../.tools/readers/bin/python', import.meta.url).pathname

// JSON knows no NaN: what is missing is null on either side.
const frame = `
import json, sys
import numpy as np
given = json.load(sys.stdin)
def column(v): return np.array([np.nan if x is None else x for x in v], dtype=float)
def told(v):
    if isinstance(v, dict): return {k: told(x) for k, x in v.items()}
    if isinstance(v, (list, tuple)): return [told(x) for x in v]
    if isinstance(v, np.ndarray): return [told(x) for x in v]
    if v is None or isinstance(v, str): return v
    return float(v) if np.isfinite(v) else None
`

/** numpy runs a script on something, which it calls given; it puts what it has found into found. */
export function numpy<T>(script: string, given: unknown): T {
  const { status, stdout, stderr, error } = spawnSync(python, ['-c', `${frame}${script}\nprint(json.dumps(told(found)))`], { input: JSON.stringify(given), encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(`Python ended with ${status ?? error}: ${stderr}`)
  return JSON.parse(stdout) as T
}

/** testOfNumpy is a test where scripts/readers has put numpy. In CI it must be there. */
export function testOfNumpy(name: string, body: () => Promise<void> | void): void {
  if (existsSync(python)) test(name, body)
  else if (process.env.CI === 'true') test(name, () => expect.fail('make .tools/readers/installed puts numpy where this test looks for it'))
  else test.skip(name, body)
}

/** agree holds numbers against those of numpy: a billionth of their size, and gaps at the same places. */
export function agree(ours: ArrayLike<number>, theirs: readonly (number | null)[], what = ''): void {
  expect(ours.length, what).toBe(theirs.length)
  const size = Math.max(1e-9, ...theirs.map((v) => Math.abs(v ?? 0)))
  for (let i = 0; i < theirs.length; i++) {
    const [mine, other] = [ours[i]!, theirs[i]!]
    if (other === null) expect(mine, `${what} ${i}`).toBeNaN()
    else if (!(Math.abs(mine - other) <= 1e-9 * size)) expect(mine, `${what} ${i}`).toBe(other)
  }
}

/**
 * filterOfNumpy defines low, the filter of computed metrics written apart from it: a Butterworth low-pass of the second order
 * by its two poles, moved to the circle by the bilinear transform, run forwards and backwards as a sum over its impulse
 * response, from the state that it has when the first value was there for ever.
 */
export const filterOfNumpy = `
def once(x, cutoff, rate):
    warped = 2 * rate * np.tan(np.pi * cutoff / rate) / (np.sqrt(2) - 1) ** 0.25
    s = warped * np.exp(1j * np.pi * np.array([3, 5]) / 4)
    z = (2 * rate + s) / (2 * rate - s)
    n = len(x)
    # Parallel form: after partial fractions the response to an impulse is a sum of powers of the poles.
    gain = ((1 - z[0]) * (1 - z[1])).real / 4
    k = np.arange(n)
    powers = (z[0] ** (k + 1) - z[1] ** (k + 1)) / (z[0] - z[1])   # of 1 / ((1 - z0/z) (1 - z1/z))
    h = gain * np.convolve(powers.real, [1, 2, 1])[:n]
    return x[0] + np.convolve(x - x[0], h)[:n]
def low(x, cutoff, rate):
    x = x.copy()
    bad = np.isnan(x)
    edges = np.flatnonzero(np.diff(np.concatenate([[1], bad.astype(int), [1]])))
    for a, b in zip(edges[::2], edges[1::2]):
        if b - a < 16: continue
        part = x[a:b]
        long = np.concatenate([2 * part[0] - part[15:0:-1], part, 2 * part[-1] - part[-2:-17:-1]])
        x[a:b] = once(once(long, cutoff, rate)[::-1], cutoff, rate)[::-1][15:-15]
    return x
`
