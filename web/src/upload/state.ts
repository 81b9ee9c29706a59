// What is on its way, for as long as the page is open: going to another screen, or
// signing in again after a session has ended, loses nothing.
import { useEffect, useState } from 'preact/hooks'
import type { Queue } from './queue'

const changed = 'kinebase:uploads'
const asked = 'kinebase:upload'
/** arrived is told to the window when captures have come, changed or gone through uploads. */
export const arrived = 'kinebase:arrived'

let queue: Queue | null = null
let owner = ''

/** keep has a queue be the one of an organization; null for none. What another had is stopped. */
export function keep(next: Queue | null, organization: string): void {
  if (queue !== next) queue?.end()
  queue = next
  owner = organization
  tellChange(false)
}

/** tellChange says that something in the queue has changed, and whether the list of captures has. */
export function tellChange(list: boolean): void {
  dispatchEvent(new Event(changed))
  if (list) dispatchEvent(new Event(arrived))
}

/** kept is the queue of an organization, if it has one. */
export function kept(organization: string): Queue | null {
  if (queue && owner !== organization) keep(null, '')
  return queue
}

/**
 * useQueue gives that queue and renders again when it changes: at most once a frame, however often progress arrives.
 */
export function useQueue(organization: string): Queue | null {
  const [, draw] = useState(0)
  useEffect(() => {
    let waiting = 0
    const change = () => {
      waiting ||= requestAnimationFrame(() => {
        waiting = 0
        draw((n) => n + 1)
      })
    }
    addEventListener(changed, change)
    return () => {
      removeEventListener(changed, change)
      cancelAnimationFrame(waiting)
    }
  }, [])
  return kept(organization)
}

/** askUpload opens the dialog, with files that were chosen already. */
export function askUpload(files: File[] = []): void {
  dispatchEvent(new CustomEvent(asked, { detail: files }))
}

/** useAsked hears of askUpload. */
export function useAsked(take: (files: File[]) => void): void {
  useEffect(() => {
    const hear = (e: Event) => take((e as CustomEvent<File[]>).detail)
    addEventListener(asked, hear)
    return () => removeEventListener(asked, hear)
  }, [])
}
