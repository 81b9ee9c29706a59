// Large files go in pieces, by tus 1.0: after a break they go on with what has not come. This is loaded when one is sent.
import { goOn, type Wire } from 'kinebase/tus'
import { Problem } from '../api/problem'
import { refused } from '../api/request'
import { pause, put } from './send'

/** sendPieces sends a file to the upload_resumable_url of its reservation, from where it is, as a part of 1. */
export async function sendPieces(
  place: string,
  file: Blob,
  stop: AbortSignal,
  told: (part: number) => void,
): Promise<void> {
  // The path alone: this page's own origin is where the interface is, whatever proxies call it.
  const path = new URL(place, location.href).pathname
  for (let elsewhere = 0; ; elsewhere++) {
    try {
      return await goOn(wireOf(path, file, stop, told), file)
    } catch (thrown) {
      // What a broken connection brought may be counted only after it was asked for.
      if (!(thrown instanceof Problem) || thrown.status !== 409 || elsewhere === 5) throw thrown
      await pause(500, stop)
    }
  }
}

/** wireOf carries the pieces so that it is known how far each one is. */
function wireOf(path: string, file: Blob, stop: AbortSignal, told: (part: number) => void): Wire {
  return {
    offset: async () => {
      const asked = await fetch(path, { signal: stop }).catch(() => {
        throw Problem.offline()
      })
      if (!asked.ok) throw await refused(asked)
      return ((await asked.json()) as { offset: number }).offset
    },
    piece: async (headers, bytes, from) => {
      const answer = await put('PATCH', path, headers, bytes, stop, (part) =>
        told((from + part * bytes.size) / file.size),
      )
      const come = answer.getResponseHeader('Upload-Offset')
      return come === null ? undefined : Number(come)
    },
  }
}
