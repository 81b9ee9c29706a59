// A file that goes in pieces, by tus 1.0, and goes on where it was when a connection breaks or a server dies.
import { KinebaseError } from './error.js'
import type { Sleep } from './retry.js'

/** whole is up to how many bytes a file goes at once, by the form. */
export const whole = 1 << 20
const pieceBytes = 8 << 20
/** fruitless is how often in a row it tries without a byte coming. */
const fruitless = 8

/** passing says whether a refusal may be gone the next time: another place than was thought, a piece that was cut. */
const passing = (status: number) => status === 0 || status >= 500 || [400, 408, 409, 429].includes(status)

/** asked makes one request to the place, which stands for itself: no token goes there. */
async function asked(place: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(place, init).catch((cause) => {
    init.signal?.throwIfAborted()
    throw new KinebaseError(0, '', `no answer from ${new URL(place).origin}`, '', '', { cause })
  })
  if (!answer.ok) throw await KinebaseError.of(answer)
  return answer
}

/** inPieces sends a file to the upload_resumable_url of a reservation. told hears how many bytes have come. */
export async function inPieces(
  place: string,
  file: Blob,
  sleep: Sleep,
  signal?: AbortSignal,
  told: (come: number) => void = () => {},
): Promise<void> {
  const ended = signal ? { signal } : {}
  let most = -1
  for (let failures = 0; ; ) {
    try {
      const { offset } = (await (await asked(place, ended)).json()) as { offset: number }
      for (let at = offset; ; ) {
        if (at > most) {
          most = at
          failures = 0
          told(at)
        }
        if (at >= file.size) return
        const end = Math.min(at + pieceBytes, file.size)
        const headers = {
          'Tus-Resumable': '1.0.0',
          'Upload-Offset': String(at),
          'Content-Type': 'application/offset+octet-stream',
        }
        const answer = await asked(place, { method: 'PATCH', headers, body: file.slice(at, end), ...ended })
        await answer.body?.cancel()
        at = end
      }
    } catch (e) {
      signal?.throwIfAborted()
      if (!(e instanceof KinebaseError) || !passing(e.status) || ++failures > fruitless) throw e
    }
    await sleep(Math.min(30_000, 250 * 2 ** failures), signal)
  }
}
