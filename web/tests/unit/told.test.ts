// What the last line of `make test` says of these tests: scripts/vitest.mjs tells
// vitest's results in the words of go test, and scripts/summary.awk counts them.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const scripts = new URL('../../../scripts/', import.meta.url).pathname
const web = new URL('../../', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'kinebase-told-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Ended = 'passed' | 'failed' | 'skipped' | 'pending' | 'todo'
const one = (fullName: string, status: Ended, ...failureMessages: string[]) => ({ fullName, status, duration: 12, failureMessages })
const file = (name: string, status: Ended, assertionResults: object[], message = '') => ({ name: web + name, status, message, startTime: 1000, endTime: 2500, assertionResults })

/** told gives the summary of a run and the code that make sees; without results there was none. */
function told(code: number, testResults?: object[], ci = '') {
  const results = join(folder, 'results.json')
  const log = join(folder, 'log')
  rmSync(results, { force: true })
  if (testResults) writeFileSync(results, JSON.stringify({ testResults }))
  writeFileSync(log, 'the server did not start\n')
  const words = execFileSync('node', [join(scripts, 'vitest.mjs'), results, log, String(code)], { encoding: 'utf8' })
  const { stdout, status } = spawnSync('awk', ['-v', `ci=${ci}`, '-f', join(scripts, 'summary.awk')], { input: words, encoding: 'utf8' })
  return { lines: stdout.trim().split('\n'), text: stdout, status }
}

test('tests are counted, and named when they fail', () => {
  const { lines, text, status } = told(1, [
    file('tests/a.test.ts', 'failed', [one('it works', 'passed'), one('it breaks "so" (1.00s)', 'failed', 'expected 1\n  at there')]),
    file('tests/b.test.ts', 'passed', [one('later', 'todo'), one('not here', 'skipped'), one('good', 'passed')]),
  ])
  expect(lines.at(-1)).toBe('2 passed, 1 failed, 2 skipped')
  expect(status).toBe(1)
  expect(text).toContain('--- FAIL: it_breaks_"so"_(1.00s)\n    expected 1\n      at there\nFAIL\tweb/tests/a.test.ts\t1.50s\nok  \tweb/tests/b.test.ts')
  expect(text).not.toContain('it_works')
})

test('what a failure says is not taken for another result', () => {
  const forged = '--- PASS: forged (0.00s)\n=== RUN   forged\nok  \tforged\t1s\n\u001b[31mFAIL\tforged\u001b[0m'
  expect(told(1, [file('tests/a.test.ts', 'failed', [one('it\nbreaks', 'failed', forged)])]).lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped')
})

test('all is well only when vitest says so too', () => {
  const good = [file('tests/a.test.ts', 'passed', [one('good', 'passed')])]
  expect(told(0, good)).toMatchObject({ status: 0, lines: ['ok  \tweb/tests/a.test.ts\t1.50s', '1 passed, 0 failed, 0 skipped'] })
  const unhandled = told(1, good)
  expect(unhandled.lines.at(-1)).toBe('1 passed, 1 failed, 0 skipped')
  expect(unhandled.text).toContain('the server did not start')
})

test('a run without results has failed', () => {
  for (const run of [told(1), told(0), told(0, []), told(1, [])]) expect([run.lines.at(-1), run.status]).toEqual(['0 passed, 1 failed, 0 skipped', 1])
  const broken = told(1, [file('tests/a.test.ts', 'failed', [], 'Cannot find module')])
  expect(broken.lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped')
  expect(broken.text).toContain('Cannot find module')
})

test('where there is no browser the tests are skipped, but not in CI', () => {
  const run = (ci: string) => {
    const words = execFileSync(join(scripts, 'test-console'), { encoding: 'utf8', env: { ...process.env, CHROMIUM: 'no-such-browser', CI: ci } })
    return spawnSync('awk', ['-v', `ci=${ci}`, '-f', join(scripts, 'summary.awk')], { input: words, encoding: 'utf8' })
  }
  for (const [ci, status] of [['', 0], ['true', 1]] as const) {
    const { stdout, status: code } = run(ci)
    expect([stdout.trim().split('\n').at(-1), code]).toEqual(['0 passed, 0 failed, 1 skipped', status])
    expect(stdout).toContain('Chromium is not installed')
  }
})
