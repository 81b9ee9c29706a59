// Whom a capture is linked to, and how its file is called where nothing else tells.

import { useEffect } from 'preact/hooks'
import { nameOf } from '../../api/athletes'
import { useQuery } from '../../api/query'
import { address, fetched, get } from '../../api/request'

/** Linked is an athlete of a capture; the name is null for those who may not know it. */
export interface Linked {
  id: string
  name: string | null
}

/**
 * useLinked is everybody whom a capture is linked to, in the order of linking. Who may
 * not read athletes knows the id of the first one. With ask false nobody is asked for.
 */
export function useLinked(
  id: string,
  first: string | null,
  may: boolean,
  ask: boolean,
): { all: Linked[]; refresh: () => void } {
  const asked = useQuery(
    may && ask ? `linked ${id}` : null,
    (signal) => get('/captures/{captureId}/athletes', { path: { captureId: id }, signal }),
    { every: 20_000 },
  )
  useEffect(() => {
    if (asked.data) asked.refresh()
  }, [first])
  const all =
    asked.data?.athletes.map((a) => ({ id: a.id, name: nameOf(a) })) ?? (first ? [{ id: first, name: null }] : [])
  return { all, refresh: asked.refresh }
}

/** useFileName is how the file of a capture is called that could not be read; null as long as it is not known. */
export function useFileName(id: string, wanted: boolean): string | null {
  const asked = useQuery(wanted ? `file name ${id}` : null, async (signal) => {
    const answer = await fetched(address('/captures/{captureId}/file', { path: { captureId: id } }), {
      method: 'HEAD',
      signal,
    })
    return nameIn(answer.headers.get('Content-Disposition') ?? '')
  })
  return asked.data ?? null
}

/** nameIn reads the name of a file in a Content-Disposition (RFC 6266). */
export function nameIn(disposition: string): string | null {
  const whole = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (whole !== undefined) {
    try {
      return decodeURIComponent(whole)
    } catch {
      // The plain one is there for such.
    }
  }
  return /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replace(/\\(.)/g, '$1') ?? null
}
