import type { ComponentChildren } from 'preact'

/** Empty is shown where there is nothing, and says what to do about it. Where it is all of a page, its title is the page's. */
export function Empty({ title, whole, children }: { title: string; whole?: boolean; children?: ComponentChildren }) {
  return (
    <div class="empty">
      {whole ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  )
}

/** Loading is shown where something is awaited for the first time. */
export function Loading({ what = 'Loading' }: { what?: string }) {
  return (
    <p class="loading" role="status">
      {what}…
    </p>
  )
}
