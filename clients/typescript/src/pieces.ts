// A file that goes in pieces, by tus 1.0, and goes on where it was when a connection breaks or a server dies.
import { KinebaseError } from './error.js'
import type { Sleep } from './retry.js'
import { goOn, type Wire } from './tus.js'

/** whole is up to how many bytes a file goes at once, by the form. */
export const whole = 1 << 20
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
  const wire: Wire = {
    offset: async () => ((await (await asked(place, ended)).json()) as { offset: number }).offset,
    piece: async (headers, body) => {
      const answer = await asked(place, { method: 'PATCH', headers, body, ...ended })
      await answer.body?.cancel()
      return undefined
    },
  }
  let most = -1
  for (let failures = 0; ; ) {
    try {
      return await goOn(wire, file, (come) => {
        if (come <= most) return
        most = come
        failures = 0
        told(come)
      })
    } catch (e) {
      signal?.throwIfAborted()
      if (!(e instanceof KinebaseError) || !passing(e.status) || ++failures > fruitless) throw e
    }
    await sleep(Math.min(30_000, 250 * 2 ** failures), signal)
  }
}
