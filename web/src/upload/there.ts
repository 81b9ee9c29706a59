// Which files the server has already. A file is known by its path in the folder and its bytes, as by
// `kinebase import --to`: these make the id of the group of its captures, so that it is found whoever has sent it.

import { sha256 } from '@noble/hashes/sha2.js'
import type { Capture } from 'kinebase/types'
import { Problem } from '../api/problem'
import { address, fetched, get } from '../api/request'
import { leaving } from '../removal/waiting'
import { pathOf } from './kinds'

/** step is how many bytes are read at once: the page answers in between. */
const step = 256 << 10

/** groupOf makes the id of a file's group. */
export async function groupOf(file: File, stop: AbortSignal): Promise<string> {
  const bytes = sha256.create() // crypto.subtle wants all bytes at once, and is missing on a page without https
  for (let at = 0; at < file.size; at += step) {
    bytes.update(new Uint8Array(await file.slice(at, at + step).arrayBuffer()))
    stop.throwIfAborted()
  }
  return idOf(pathOf(file).replace(/^[^/]*\/(?=.)/, ''), bytes.digest())
}

/** idOf is the id of a path, from the folder on that was chosen, and of the SHA-256 of bytes. */
export function idOf(path: string, content: Uint8Array): string {
  // What stands between the first two ends of lines is an organization, which an id that is sent has not.
  const head = new TextEncoder().encode(`kinebase file 1\n\n${path.normalize('NFC')}\0`)
  const sum = sha256.create().update(head).update(content).digest().subarray(0, 16)
  sum[6] = (sum[6]! & 0x0f) | 0x80
  sum[8] = (sum[8]! & 0x3f) | 0x80
  const hex = Array.from(sum, (b) => b.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** There is what the server has of a file: the capture that has it, and those for which it did not come. */
export interface There {
  taken: Capture | null
  open: string[]
}

/** lookFor looks for the captures of a group. Who may not look is told that there is nothing. */
export async function lookFor(group: string, signal: AbortSignal): Promise<There> {
  const there: There = { taken: null, open: [] }
  try {
    const { captures } = await get('/captures', { query: { q: group, limit: 500 }, signal })
    const numbered = captures.filter((c) => c.session_id.startsWith(`${group}_`))
    const ids = new Map(numbered.map((c) => [c.session_id, c])) // several athletes are several rows
    for (const c of ids.values()) {
      if (leaving(c.session_id)) continue // it is as good as deleted
      if (c.status === 'awaiting_upload' || (c.status === 'error' && !(await came(c.session_id, signal))))
        there.open.push(c.session_id)
      else there.taken ??= c
    }
  } catch (thrown) {
    if (Problem.from(thrown).status !== 403) throw thrown
  }
  return there
}

/** came says whether a file has come for a capture. */
async function came(captureId: string, signal: AbortSignal): Promise<boolean> {
  try {
    const headers = { Range: 'bytes=0-0' }
    const answer = await fetched(address('/captures/{captureId}/file', { path: { captureId } }), { headers, signal })
    await answer.body?.cancel()
    return true
  } catch (thrown) {
    const { status } = Problem.from(thrown)
    if (status === 404 || status === 409) return false
    if (status === 416) return true // it is empty
    throw thrown
  }
}
