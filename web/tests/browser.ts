// A browser for tests, and what every test wants of it: a page that is signed in,
// pictures, the checks of axe, and the certainty that nothing went wrong unseen.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterEach, beforeAll, expect, inject } from 'vitest'
import type { Served } from './server'

const shots = new URL('../shots/', import.meta.url).pathname
const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

export const served: Served = inject('served')

const named = process.env.CHROMIUM
const program = (named ? [named] : ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)).find((p) => existsSync(p))

/** A name of the server's machine in a laboratory: by http it is no secure connection, as 127.0.0.1 is for browsers. */
export const lab = 'kinebase.lab'

// Chromium heeds the last --disable-features alone, so what Playwright switches off is named once more.
const unused = [
  'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding',
  'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch',
  // Each window, and so each test, would load two pages for the suggestions of its address bar.
  'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup',
]

const flags = [
  '--no-sandbox', // root has none
  // No graphics card, for the same pictures everywhere: SwiftShader draws the scenes, and only those, for it is slow.
  '--disable-gpu', '--enable-unsafe-swiftshader',
  `--disable-features=${unused.join()}`,
  `--host-resolver-rules=MAP ${lab} 127.0.0.1`,
]

let browser: Browser | undefined // one for all files: they run one after the other, in one process
const contexts: BrowserContext[] = []
const faults: string[] = []

/** useBrowser gives tests a browser, which ends with the process. After each test nothing may have gone wrong in a page. */
export function useBrowser(): void {
  beforeAll(async () => {
    if (browser?.isConnected()) return
    if (!program) throw new Error('no Chromium was found; install it, or set CHROMIUM to its path')
    browser = await chromium.launch({ executablePath: program, args: flags })
  })
  afterEach(async () => {
    const done = contexts.splice(0)
    await Promise.all(done.flatMap((c) => c.pages()).map((p) => p.unrouteAll({ behavior: 'ignoreErrors' })))
    await Promise.all(done.map((c) => c.close()))
    expect(faults.splice(0)).toEqual([])
  })
}

/**
 * sizesRead counts from now on by name how often a page reads sizes of elements, each of which may have the browser lay
 * the page out at once. It gives what was counted so far.
 */
export async function sizesRead(page: Page): Promise<() => Promise<Record<string, number>>> {
  await page.evaluate(() => {
    const counted: Record<string, number> = {}
    Object.assign(globalThis, { counted })
    const getters = [[Element.prototype, /^(client|scroll)(Width|Height|Left|Top)$/], [HTMLElement.prototype, /^offset(Width|Height|Left|Top|Parent)$/]] as const
    for (const [of, names] of getters) {
      for (const [name, d] of Object.entries(Object.getOwnPropertyDescriptors(of)).filter(([n]) => names.test(n))) {
        Object.defineProperty(of, name, { ...d, get(this: Element) { counted[name] = (counted[name] ?? 0) + 1; return d.get!.call(this) as unknown } })
      }
    }
    for (const name of ['getBoundingClientRect', 'getClientRects'] as const) {
      const own = Element.prototype[name] as (this: Element) => unknown
      Object.defineProperty(Element.prototype, name, { value(this: Element) { counted[name] = (counted[name] ?? 0) + 1; return own.call(this) } })
    }
    const style = getComputedStyle
    globalThis.getComputedStyle = (...all) => { counted.getComputedStyle = (counted.getComputedStyle ?? 0) + 1; return style(...all) }
  })
  return () => page.evaluate(() => ({ ...(globalThis as unknown as { counted: Record<string, number> }).counted }))
}

export interface Opened {
  token?: string // whose session it is; "" is nobody's
  width?: number
  height?: number
  host?: string // the name by which the server is called, by nobody yet
  touch?: boolean
  still?: boolean // by somebody who wants less motion: nothing plays by itself
  before?: (page: Page) => Promise<unknown> // done before anything is loaded
}

/** open makes a page at a path, signed in. */
export async function open(path: string, options: Opened = {}): Promise<Page> {
  const context = await browser!.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 }, locale: 'en-GB', timezoneId: 'UTC',
    ...(options.touch ? { hasTouch: true, isMobile: true } : {}), ...(options.still ? { reducedMotion: 'reduce' } : {}),
  })
  contexts.push(context)
  const at = new URL(served.url)
  if (options.host) at.hostname = options.host
  const token = options.host ? '' : options.token ?? served.token
  if (token) {
    const answer = await context.request.post(`${served.url}/console/session`, { data: { token }, headers: { Origin: served.url } })
    expect(answer.status()).toBe(200)
  }
  const page = await context.newPage()
  page.on('pageerror', (e) => faults.push(`error in the page: ${e.message}`))
  page.on('console', (m) => {
    if (/Content.Security.Policy|Refused to|WebGL contexts/i.test(m.text())) faults.push(m.text())
  })
  page.on('request', (r) => {
    if (!r.url().startsWith(at.origin) && !/^(data|blob):/.test(r.url())) faults.push(`a request to a stranger: ${r.url()}`)
  })
  await options.before?.(page)
  await page.goto(at.origin + path)
  return page
}

/** picture keeps what a page looks like, in light and in dark, where somebody wants to look: with SHOTS=1. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) {
    mkdirSync(shots, { recursive: true })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      // Scenes and plots are drawn again in the frames that follow.
      await page.evaluate(async () => { for (let n = 0; n < 4; n++) await new Promise(requestAnimationFrame) })
      await page.screenshot({ path: `${shots}${name}-${colorScheme}.png`, animations: 'disabled' })
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

/** repeated finds what is built as two elements beside it are: the same elements with the same attributes, but for names and texts. A list of fifty rows says nothing of them that two do not. */
function repeated(): Element[] {
  const names = ['id', 'for', 'href', 'src', 'alt', 'title', 'value', 'datetime', 'aria-label', 'aria-labelledby', 'aria-describedby', 'aria-controls']
  const attribute = (a: Attr) => `${a.name}=${names.includes(a.name) ? a.value !== '' : a.value}`
  const built = (node: Node): string => {
    if (node instanceof Text) return node.data.trim() && 'text'
    return node instanceof Element ? `<${node.localName} ${[...node.attributes].map(attribute).join()}>${[...node.childNodes].map(built).join('')}</>` : ''
  }
  const found: Element[] = []
  const look = (parent: Element) => {
    const seen = new Map<string, number>()
    for (const e of parent.children) {
      const as = built(e)
      seen.set(as, (seen.get(as) ?? 0) + 1)
      if (seen.get(as)! > 2) found.push(e)
      else if (!(e instanceof SVGElement)) look(e)
    }
  }
  look(document.body)
  return found
}

/** accessible fails when axe finds something that is moderate or worse, in light or in dark. */
export async function accessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${axe}; window.repeated = ${repeated}`)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const violations = await page.evaluate(async (colorScheme) => {
      const { axe, repeated } = window as unknown as { repeated: () => Element[]; axe: { run: (on: object, options: object) => Promise<{ violations: { id: string; impact: string | null; nodes: { html: string; failureSummary?: string }[] }[] }> } }
      // Dark differs from light by its colours alone, so only the rules that look at colours have more to say.
      const colours = { runOnly: ['color-contrast', 'link-in-text-block'] }
      const { violations } = await axe.run({ include: [document], exclude: repeated() }, { resultTypes: ['violations'], ...(colorScheme === 'dark' ? colours : {}) })
      return violations
        .filter((v) => v.impact !== 'minor')
        .map((v) => `${v.id}: ${v.nodes.map((n) => `${n.html.slice(0, 160)} ${n.failureSummary ?? ''}`).join(' | ')}`)
    }, colorScheme)
    expect(violations, colorScheme).toEqual([])
  }
}

/** fault has calls of the interface answered with an error, as the server would. */
export async function fault(page: Page, path: RegExp, status: number, message: string, headers: Record<string, string> = {}): Promise<() => Promise<void>> {
  const codes: Record<number, string> = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound', 429: 'TooManyRequests', 500: 'InternalServerError', 503: 'ServiceUnavailable' }
  const handler = (route: import('playwright-core').Route) =>
    route.fulfill({ status, contentType: 'application/json', headers, body: JSON.stringify({ error: codes[status] ?? 'Error', message }) })
  await page.route(path, handler)
  return () => page.unroute(path, handler)
}

/** onlyWhen has a page ask for nothing that begins so until it asks for what is wanted: it looks by itself, and would find out first. */
export async function onlyWhen(page: Page, begins: RegExp, wanted: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.route(begins, (route) => (route.request().url().includes(wanted) ? route.continue() : undefined))
}

/** edited has what the server answers changed on its way to a page. It is asked for whole each time: a 304 has nothing to change. */
export async function edited<T extends object>(page: Page, path: RegExp, edit: (body: T) => void): Promise<void> {
  await page.route(path, async (route) => {
    const response = await route.fetch({ headers: { ...route.request().headers(), 'if-none-match': '' } })
    const body = (await response.json()) as T
    edit(body)
    await route.fulfill({ response, json: body })
  })
}

/** trc makes a small motion file: two markers that swing for some frames. */
export function trc(frames = 20): Buffer {
  const head = ['PathFileType\t4\t(X/Y/Z)\tswing.trc', 'DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames', `100\t100\t${frames}\t2\tmm\t100\t1\t${frames}`, 'Frame#\tTime\tHip\t\t\tKnee\t\t', '\t\tX1\tY1\tZ1\tX2\tY2\tZ2', '']
  const rows = Array.from({ length: frames }, (_, n) => {
    const angle = Math.sin(n / 5)
    return [n + 1, (n / 100).toFixed(3), 0, 0, 1000, (400 * Math.sin(angle)).toFixed(3), 0, (1000 - 400 * Math.cos(angle)).toFixed(3)].join('\t')
  })
  return Buffer.from([...head, ...rows, ''].join('\n'))
}
