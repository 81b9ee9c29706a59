// A Firefox as Debian has it, driven by WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/), which it speaks by itself:
// the few commands that one test of the main way needs. Keys and clicks are those of a keyboard and a mouse. It has a screen of
// its own that nobody sees (Xvfb): without one it draws nothing by WebGL.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { WebSocket } from 'ws'

const named = process.env.FIREFOX
export const program = (named ? [named] : ['firefox-esr', 'firefox'].map((name) => `/usr/bin/${name}`)).find((p) => existsSync(p))

/** What it would do of its own is switched off: it calls nobody and asks nothing. */
const preferences = {
  'app.update.enabled': false,
  'app.normandy.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.search.update': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.systemAddon.update.enabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
  // No graphics card: Mesa draws. And no process for each site, for the test has one.
  'dom.ipc.processCount': 1,
  'webgl.force-enabled': true,
}

/** So long anything may take on a busy machine, in milliseconds. */
const patience = 90_000

interface Answer {
  id?: number
  method?: string
  type: 'success' | 'error' | 'event'
  result?: unknown
  params?: unknown
  error?: string
  message?: string
}

/** An element of a page, as BiDi names it. */
interface Node {
  sharedId: string
}

export class Firefox {
  /** What went wrong in the page: errors, and what its policy refused. */
  readonly faults: string[] = []
  private readonly waiting = new Map<number, (a: Answer) => void>()
  private readonly ended = new Set<(path: string | null) => void>()
  private last = 0
  private context = ''

  private constructor(
    private readonly screen: ChildProcess,
    private readonly child: ChildProcess,
    private readonly socket: WebSocket,
    private readonly folder: string,
  ) {
    socket.on('message', (text) => this.heard(JSON.parse(String(text)) as Answer))
  }

  /** start runs a Firefox that nobody sees, with a page that is empty. */
  static async start(): Promise<Firefox> {
    if (!program) throw new Error('no Firefox was found; install firefox-esr, or set FIREFOX to its path')
    const folder = mkdtempSync(join(tmpdir(), 'kinebase-firefox-'))
    writeFileSync(join(folder, 'user.js'), Object.entries(preferences).map(([k, v]) => `user_pref(${JSON.stringify(k)}, ${JSON.stringify(v)});\n`).join(''))
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    const display = await new Promise<string>((done, fail) => {
      screen.once('error', fail)
      screen.once('exit', (code) => fail(new Error(`Xvfb ended with ${code}`)))
      createInterface({ input: screen.stdio[3] as Readable }).once('line', done)
    })
    const child = spawn(program, ['--no-remote', '--remote-debugging-port=0', '--profile', folder], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: folder, DISPLAY: `:${display.trim()}`, MOZ_CRASHREPORTER_DISABLE: '1' } })
    try {
      const socket = await new Promise<WebSocket>((done, fail) => {
        child.once('exit', (code) => fail(new Error(`Firefox ended with ${code}`)))
        child.once('error', fail)
        createInterface({ input: child.stderr! }).on('line', (line) => {
          const at = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
          if (!at) return
          const one = new WebSocket(`${at}/session`)
          one.once('open', () => done(one))
          one.once('error', fail)
        })
      })
      const firefox = new Firefox(screen, child, socket, folder)
      await firefox.send('session.new', { capabilities: {} })
      await firefox.send('session.subscribe', { events: ['log.entryAdded', 'browsingContext.downloadEnd'] })
      firefox.context = ((await firefox.send('browsingContext.create', { type: 'tab' })) as { context: string }).context
      await firefox.send('browser.setDownloadBehavior', { downloadBehavior: { type: 'allowed', destinationFolder: folder } })
      await firefox.send('browsingContext.setViewport', { context: firefox.context, viewport: { width: 1280, height: 900 } })
      return firefox
    } catch (e) {
      child.kill('SIGKILL')
      screen.kill()
      rmSync(folder, { recursive: true, force: true })
      throw e
    }
  }

  /** close ends it, and waits until it is gone. */
  async close(): Promise<void> {
    const gone = new Promise((done) => this.child.once('exit', done))
    if (this.child.exitCode === null) {
      await Promise.race([this.send('browser.close', {}).catch(() => this.child.kill('SIGKILL')), gone])
      await gone
    }
    this.socket.terminate()
    const dark = new Promise((done) => this.screen.once('exit', done))
    if (this.screen.exitCode === null && this.screen.kill()) await dark
    rmSync(this.folder, { recursive: true, force: true })
  }

  private heard(a: Answer): void {
    if (a.type !== 'event') {
      this.waiting.get(a.id!)?.(a)
      return
    }
    if (a.method === 'log.entryAdded') {
      const { level, text } = a.params as { level: string; text: string | null }
      if (level === 'error') this.faults.push(text ?? 'an error')
    }
    if (a.method === 'browsingContext.downloadEnd') {
      const { filepath } = a.params as { filepath?: string | null }
      for (const told of this.ended) told(filepath ?? null)
    }
  }

  private send(method: string, params: object): Promise<unknown> {
    const id = ++this.last
    return new Promise((done, fail) => {
      this.waiting.set(id, (a) => {
        this.waiting.delete(id)
        if (a.type === 'error') fail(new Error(`${method}: ${a.error}: ${a.message}`))
        else done(a.result)
      })
      this.socket.send(JSON.stringify({ id, method, params }))
    })
  }

  /** goto opens an address. */
  async goto(url: string): Promise<void> {
    await this.send('browsingContext.navigate', { context: this.context, url, wait: 'complete' })
  }

  /** evaluate runs a function in the page, which knows nothing of its surroundings, and gives what it gives. */
  async evaluate<A extends unknown[], T>(run: (...args: A) => T | Promise<T>, ...args: A): Promise<T> {
    const answer = (await this.send('script.callFunction', {
      functionDeclaration: `async (args) => JSON.stringify(await (${run})(...JSON.parse(args))) ?? 'null'`,
      arguments: [{ type: 'string', value: JSON.stringify(args) }],
      awaitPromise: true,
      target: { context: this.context },
    })) as { type: string; result?: { value: string }; exceptionDetails?: { text: string } }
    if (answer.type !== 'success') throw new Error(answer.exceptionDetails?.text ?? 'the script failed')
    return JSON.parse(answer.result!.value) as T
  }

  /** until waits until a function of the page gives something that is true, looking at each of its frames. */
  async until<A extends unknown[], T>(run: (...args: A) => T, ...args: A): Promise<T> {
    for (const late = Date.now() + patience; ; await this.frame()) {
      const found = await this.evaluate(run, ...args)
      if (found) return found
      if (Date.now() > late) throw new Error(`in vain: ${run} of ${JSON.stringify(args)}`)
    }
  }

  /** find waits for an element that a selector names and that is called so: by its label, or by its text. */
  async find(selector: string, name: string): Promise<Node> {
    const look = (selector: string, name: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)].find((e) => {
        const label = e instanceof HTMLInputElement ? e.labels?.[0]?.textContent : e.textContent
        return (e.getAttribute('aria-label') ?? label ?? '').trim() === name && e.getClientRects().length > 0
      }) ?? null
    for (const late = Date.now() + patience; ; await this.frame()) {
      const { result } = (await this.send('script.callFunction', {
        functionDeclaration: String(look), arguments: [selector, name].map((value) => ({ type: 'string', value })), awaitPromise: false, target: { context: this.context },
      })) as { result?: Partial<Node> }
      if (result?.sharedId) return { sharedId: result.sharedId }
      if (Date.now() > late) throw new Error(`no ${selector} is called ${name}`)
    }
  }

  /** frame waits until the page has drawn once more. */
  private async frame(): Promise<void> {
    await this.evaluate(() => new Promise<null>((go) => requestAnimationFrame(() => go(null))))
  }

  /** click presses the mouse on an element. */
  async click(selector: string, name: string): Promise<void> {
    const { sharedId } = await this.find(selector, name)
    await this.send('script.callFunction', { functionDeclaration: '(e) => { e.scrollIntoView({ block: "center" }) }', arguments: [{ sharedId }], awaitPromise: true, target: { context: this.context } })
    const press = [{ type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element: { sharedId } } }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }]
    await this.send('input.performActions', { context: this.context, actions: [{ type: 'pointer', id: 'mouse', actions: press }] })
  }

  /** type presses keys, one for each character. */
  async type(text: string): Promise<void> {
    const keys = [...text].flatMap((value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }])
    await this.send('input.performActions', { context: this.context, actions: [{ type: 'key', id: 'keys', actions: keys }] })
  }

  /** downloaded waits for the file that something brings, and gives its path. */
  async downloaded(bring: () => Promise<void>): Promise<string> {
    const come = new Promise<string | null>((done) => this.ended.add(done))
    await bring()
    const path = await come
    this.ended.clear()
    if (path === null) throw new Error('the download failed')
    return path
  }

  /** screenshot is a picture of the page, as PNG. */
  async screenshot(): Promise<Buffer> {
    const { data } = (await this.send('browsingContext.captureScreenshot', { context: this.context })) as { data: string }
    return Buffer.from(data, 'base64')
  }
}
