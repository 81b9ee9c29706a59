// Vitest's global set-up: the real program, built with the front end as it is now,
// serving its demo organization, for all tests of the run.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestProject } from 'vitest/node'

const root = new URL('../..', import.meta.url).pathname

/** What tests are told of the server. */
export interface Served {
  /** Its address, without a slash at the end. */
  url: string
  /** A token of the demo organization that may do everything. */
  token: string
  /** A token of the same organization that may only look. */
  viewer: string
  /** A token of an organization that has nothing, and to which no test adds anything. */
  empty: string
  /** A token of an organization that tests bring files to. */
  busy: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    served: Served
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'kinebase-console-'))
  const tested = process.env.KINEBASE_TEST_PROGRAM ?? '' // built by scripts/test
  const program = existsSync(tested) ? tested : join(folder, 'kinebase')
  let server: ChildProcess | undefined
  const stop = async () => {
    if (server && server.exitCode === null) {
      const ended = new Promise((done) => server!.once('exit', done))
      server.kill('SIGTERM')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    if (program !== tested) {
      // Vitest's own NODE_ENV would have a build for development, which is heavier.
      execFileSync('scripts/console', ['--must', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, NODE_ENV: 'production' } })
      execFileSync('go', ['build', '-trimpath', '-o', program, './cmd/kinebase'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, CGO_ENABLED: '0' } })
    }

    const data = join(folder, 'data')
    server = spawn(program, ['demo', '--json', '--listen', '127.0.0.1:0', '--data', data], { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, KINEBASE_WEBHOOK_PRIVATE: 'on' } })
    const demo = JSON.parse(await firstJSON(server)) as { url: string; organization: string; token: string }
    const cli = (...args: string[]) => JSON.parse(execFileSync(program, [...args, '--data', data, '--json'], { encoding: 'utf8' })) as Record<string, string>
    const token = (organization: string, role: string) => cli('token', 'create', '--org', organization, '--role', role, '--name', role).token ?? ''
    project.provide('served', {
      url: new URL(demo.url).origin,
      token: demo.token,
      viewer: token(demo.organization, 'viewer'),
      empty: token(cli('org', 'create', 'Nothing yet').id ?? '', 'admin'),
      busy: token(cli('org', 'create', 'Riverside Clinic').id ?? '', 'admin'),
    })
  } catch (e) {
    await stop()
    throw e
  }
  return stop
}

/** firstJSON is the first whole JSON that a program prints. */
function firstJSON(server: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let text = ''
    createInterface({ input: server.stdout! }).on('line', (line) => {
      text += line
      try {
        JSON.parse(text)
      } catch {
        return
      }
      done(text)
    })
    server.once('exit', (code) => fail(new Error(`the server ended with ${code}`)))
  })
}
