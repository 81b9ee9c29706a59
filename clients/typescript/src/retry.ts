// Calls that are made again: what is safe to repeat, when there was no answer or one that says so.
import { KinebaseError } from './error.js'

/** Sleep waits for so many milliseconds, or until the signal ends it. */
export type Sleep = (milliseconds: number, signal?: AbortSignal | null) => Promise<void>

export const sleep: Sleep = (milliseconds, signal) =>
  new Promise((done, failed) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      failed(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      done()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })

const passing = [429, 502, 503, 504]
const longest = 60_000

/** waitOf is how long to wait before the next try, in milliseconds; the server's word counts. */
function waitOf(answer: Response | undefined, attempt: number): number {
  const told = Number(answer?.headers.get('Retry-After') ?? Number.NaN) * 1000
  if (told >= 0) return told
  return Math.min(longest, 250 * 2 ** attempt) * (0.5 + Math.random() / 2)
}

/**
 * again makes a request, and makes it again when that is safe: for reads, and for writes that carry an idempotency key
 * or whose method is idempotent. A wait of more than a minute is the caller's to decide: the answer is given as it is.
 */
export async function again(
  send: (r: Request) => Promise<Response>,
  request: Request,
  tries: number,
  wait: Sleep,
): Promise<Response> {
  const safe = request.method !== 'POST' || request.headers.has('Idempotency-Key')
  for (let attempt = 0; ; attempt++) {
    let answer: Response | undefined
    let failure: unknown
    try {
      answer = await send(request.clone())
    } catch (e) {
      request.signal.throwIfAborted()
      failure = e
    }
    if (answer && !passing.includes(answer.status)) return answer
    const pause = waitOf(answer, attempt)
    if (!safe || attempt >= tries || pause > longest) {
      if (answer) return answer
      throw new KinebaseError(0, '', `no answer from ${new URL(request.url).origin}`, '', '', { cause: failure })
    }
    await answer?.body?.cancel()
    await wait(pause, request.signal)
  }
}
