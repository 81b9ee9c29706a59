import { Problem } from '../api/problem'
import { address, refused } from '../api/request'

const canceled = () => new Problem(-1, 'Canceled', 'Canceled')

/** sendFile sends the bytes of a reserved capture. */
export async function sendFile(
  captureId: string,
  file: File,
  stop: AbortSignal,
  told: (part: number) => void,
): Promise<void> {
  const to = address('/captures/{captureId}/file', { path: { captureId }, query: { file_name: file.name } })
  await put('PUT', to, { 'Content-Type': 'application/octet-stream' }, file, stop, told)
}

/** put sends bytes: only XMLHttpRequest tells how many have gone, as a part of 1. */
export function put(
  method: string,
  to: string,
  headers: Record<string, string>,
  bytes: Blob,
  stop: AbortSignal,
  told: (part: number) => void,
): Promise<XMLHttpRequest> {
  return new Promise((done, fail) => {
    if (stop.aborted) return fail(canceled())
    const x = new XMLHttpRequest()
    x.open(method, to)
    for (const [name, value] of Object.entries(headers)) x.setRequestHeader(name, value)
    x.upload.onprogress = (e) => told(e.total > 0 ? e.loaded / e.total : 0)
    x.onload = () => {
      if (x.status >= 200 && x.status < 300) return done(x)
      const headers = new Headers()
      for (const name of ['Retry-After', 'X-Request-Id']) headers.set(name, x.getResponseHeader(name) ?? '')
      void refused(new Response(x.responseText, { status: x.status, headers })).then(fail)
    }
    x.onerror = () => fail(Problem.offline())
    x.onabort = () => fail(canceled())
    stop.addEventListener('abort', () => x.abort(), { once: true })
    x.send(bytes)
  })
}

/** pause waits; with online no longer than until the browser is connected again. It fails when it is stopped. */
export function pause(ms: number, stop: AbortSignal, online = false): Promise<void> {
  return new Promise((done, fail) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', over)
      stop.removeEventListener('abort', abort)
    }
    const over = () => {
      end()
      done()
    }
    const abort = () => {
      end()
      fail(canceled())
    }
    const timer = setTimeout(over, ms)
    if (online) addEventListener('online', over)
    if (stop.aborted) abort()
    else stop.addEventListener('abort', abort)
  })
}
