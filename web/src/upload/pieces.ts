// Large files go in pieces, by tus 1.0: after a break they go on with what has not come. This is loaded when one is sent.
import { Problem } from '../api/problem'
import { refused } from '../api/request'
import { pause, put } from './send'

const pieceBytes = 8 << 20

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
      return await goOn(path, file, stop, told)
    } catch (thrown) {
      // What a broken connection brought may be counted only after it was asked for.
      if (!(thrown instanceof Problem) || thrown.status !== 409 || elsewhere === 5) throw thrown
      await pause(500, stop)
    }
  }
}

async function goOn(path: string, file: Blob, stop: AbortSignal, told: (part: number) => void): Promise<void> {
  const asked = await fetch(path, { signal: stop }).catch(() => {
    throw Problem.offline()
  })
  if (!asked.ok) throw await refused(asked)
  let at = ((await asked.json()) as { offset: number }).offset
  while (at < file.size) {
    const end = Math.min(at + pieceBytes, file.size)
    const headers = {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': String(at),
      'Content-Type': 'application/offset+octet-stream',
    }
    const begun = at
    const answer = await put('PATCH', path, headers, file.slice(at, end), stop, (part) =>
      told((begun + part * (end - begun)) / file.size),
    )
    at = Number(answer.getResponseHeader('Upload-Offset') ?? end)
  }
}
