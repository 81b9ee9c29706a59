// Tells what vitest's JSON says in the words of go test -v: vitest.mjs RESULTS LOG CODE,
// with what vitest has printed and the code it ended with.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [results, log, code] = process.argv.slice(2)
const web = new URL('../web', import.meta.url).pathname
const say = (text) => process.stdout.write(text + '\n')
const seconds = (ms) => ((ms ?? 0) / 1000).toFixed(2)
// A line of a message must not be taken for one of go test's own: those begin a line,
// but results may also end one.
const told = (text) => text.replaceAll(/\u001b\[[\d;]*m/g, '').replaceAll(/--- (?=(PASS|FAIL|SKIP): )/g, '-- ').split('\n').map((line) => `    ${line}`).join('\n')
const words = { passed: 'PASS', failed: 'FAIL' }

let report = { testResults: [] }
try {
  report = JSON.parse(readFileSync(results, 'utf8'))
} catch {
  // It ended before there were results; its log says why.
}
let failed = false
for (const file of report.testResults) {
  const name = `web/${relative(web, file.name)}`
  let broken = file.status !== 'passed'
  for (const test of file.assertionResults) {
    const title = test.fullName.trim().replaceAll(/\s/g, '_')
    say(`=== RUN   ${title}`)
    for (const message of test.failureMessages ?? []) say(told(message))
    const word = words[test.status] ?? 'SKIP'
    if (word === 'SKIP') say(told(`it is marked ${test.status}`))
    say(`--- ${word}: ${title} (${seconds(test.duration)}s)`)
    broken ||= word === 'FAIL'
  }
  if (broken && file.message) say(told(file.message))
  say(`${broken ? 'FAIL' : 'ok  '}\t${name}\t${seconds(file.endTime - file.startTime)}s`)
  failed ||= broken
}
if (code !== '0' && !failed) {
  say(told(readFileSync(log, 'utf8').split('\n').slice(-100).join('\n')))
  say(`FAIL\tweb\t0.00s`)
} else if (code === '0' && report.testResults.length === 0) {
  say('    no test of the console ran')
  say(`FAIL\tweb\t0.00s`)
}
