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

/** go opens a place. With replace, "back" does not lead here again. */
export function go(to: string, options: { replace?: boolean; keepScroll?: boolean } = {}): void {
  if (to !== location.pathname + location.search) {
    history[options.replace ? 'replaceState' : 'pushState'](null, '', to)
  }
  dispatchEvent(new Event(moved))
  if (!options.keepScroll) scrollTo(0, 0)
}

/** withQuery is a path with what is asked of it; empty values are left out. */
export function withQuery(path: string, query: Record<string, string | number | null | undefined>): string {
  const q = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') q.set(name, String(value))
  }
  const text = q.toString()
  return text ? `${path}?${text}` : path
}

/** usePlace is the place, now and whenever it changes. */
export function usePlace(): Place {
  const [place, set] = useState(here)
  useEffect(() => {
    const change = () => set(here())
    addEventListener(moved, change)
    addEventListener('popstate', change)
    return () => {
      removeEventListener(moved, change)
      removeEventListener('popstate', change)
    }
  }, [])
  return place
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
const screens = [/^\/$/, /^\/(captures|athletes|exports)(\/[^/]+)?$/, /^\/(tokens|overview|sign-in)$/]
