// Where the person is: the address bar is the only place that knows. Links are
// plain anchors; a click on one of this console's own goes without a new page.
import { useEffect, useState } from 'preact/hooks'

/** A place in the console: its path, and what is asked of it. */
export interface Place {
  path: string
  query: URLSearchParams
}

const moved = 'kinebase:moved'

/** here reads the address bar. */
export function here(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) }
}

// The field whose text made the newest place, as long as it is written in.
let typedIn: string | undefined
addEventListener('focusout', () => {
  typedIn = undefined
})
addEventListener('popstate', () => {
  typedIn = undefined
})

let within: ((to: string) => string) | undefined

/** stayWithin has all that is gone to be another place: who comes by a link has one page, whatever its screens want. */
export function stayWithin(place: (to: string) => string): void {
  within = place
}

/**
 * go opens a place. "Back" leads here again, except with replace. typing names the field
 * whose text the place shows: while it goes on being written in, its later texts take the
 * place of the first one, so that "back" undoes what was written and not each letter.
 */
export function go(to: string, options: { replace?: boolean; keepScroll?: boolean; typing?: string } = {}): void {
  to = within?.(to) ?? to
  if (to !== location.pathname + location.search + (within ? location.hash : '')) {
    const replace = options.replace || (options.typing !== undefined && options.typing === typedIn)
    if (!replace) keepPlace()
    history[replace ? 'replaceState' : 'pushState'](options.keepScroll ? history.state : null, '', to)
    typedIn = options.typing
  }
  dispatchEvent(new Event(moved))
  if (!options.keepScroll) scrollTo(0, 0)
}

/** withQuery is a path with what is asked of it; empty values are left out. */
export function withQuery(path: string, query: Record<string, string | number | boolean | null | undefined>): string {
  const q = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') q.set(name, String(value))
  }
  const text = q.toString()
  return text ? `${path}?${text}` : path
}

/** offsetOf is from where on a list is asked for; what is no whole number that can be exact is the start. */
export function offsetOf(query: URLSearchParams): number {
  const text = query.get('offset') ?? ''
  const offset = /^[0-9]+$/.test(text) ? Number(text) : 0
  return Number.isSafeInteger(offset) ? offset : 0
}

/** usePlace is the place, now and whenever it changes. */
export function usePlace(): Place {
  const [place, set] = useState(here)
  useEffect(() => {
    const change = () => set(here())
    addEventListener(moved, change)
    addEventListener('popstate', change)
    change() // it may have moved before this listened
    return () => {
      removeEventListener(moved, change)
      removeEventListener('popstate', change)
    }
  }, [])
  return place
}

/** keepPlace notes in the history how far down the page is. */
function keepPlace(): void {
  history.replaceState({ y: scrollY }, '')
}

// A list comes after the page, so that the browser itself would find nothing to go
// down to when somebody comes back.
const patience = 2_000

/** returnToPlace has "back" lead to where on the page somebody was. */
export function returnToPlace(): () => void {
  history.scrollRestoration = 'manual'
  let timer: ReturnType<typeof setTimeout> | undefined
  let round = 0
  const note = () => {
    clearTimeout(timer)
    timer = setTimeout(keepPlace, 200)
  }
  const back = (e: PopStateEvent) => {
    clearTimeout(timer)
    const y = Number((e.state as { y?: unknown } | null)?.y ?? 0)
    const until = performance.now() + patience
    const mine = ++round
    const reach = () => {
      if (mine !== round) return
      scrollTo(0, y)
      if (Math.abs(scrollY - y) > 1 && performance.now() < until) requestAnimationFrame(reach)
    }
    requestAnimationFrame(reach)
  }
  const stop = () => {
    round++
  }
  addEventListener('scroll', note, { passive: true })
  addEventListener('popstate', back)
  addEventListener(moved, stop)
  addEventListener('wheel', stop, { passive: true })
  return () => {
    clearTimeout(timer)
    removeEventListener('scroll', note)
    removeEventListener('popstate', back)
    removeEventListener(moved, stop)
    removeEventListener('wheel', stop)
  }
}

/** followLinks has clicks on the console's own links go without a new page. */
export function followLinks(root: Document): () => void {
  const follow = (e: MouseEvent) => {
    if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return
    const link = e.target instanceof Element ? e.target.closest('a') : null
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (!screens.some((s) => s.test(link.pathname))) return
    e.preventDefault()
    if (link.hash && link.pathname === location.pathname) return
    go(link.pathname + link.search)
  }
  root.addEventListener('click', follow)
  return () => root.removeEventListener('click', follow)
}

// The paths that are screens; all others are the server's.
const screens = [
  /^\/$/,
  /^\/(captures|athletes|exports|webhooks)(\/[^/]+)?$/,
  /^\/(tokens|audit|overview|compare|report|sign-in)$/,
]
