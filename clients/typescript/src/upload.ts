import type { Kinebase } from './client.js'
import { KinebaseError } from './error.js'
import type { NewCapture } from './types.js'

/** UploadOptions are what a capture is to be called, and how its file is sent. */
export interface UploadOptions extends Omit<NewCapture, 'file_name'> {
  /** The name of the file, whose ending tells its kind; a File has one. */
  file_name?: string
  /** Waits until the file has been read. A file that cannot be read is then an error. */
  wait?: boolean
  signal?: AbortSignal
}

/** uploaded reserves a place, sends the file by the form, and gives the session id. */
export async function uploaded(server: Kinebase, file: Blob, options: UploadOptions): Promise<string> {
  const { wait, signal, ...fields } = options
  const name = fields.file_name ?? (file as Partial<File>).name
  if (!name) throw new TypeError('the file has no name: set file_name')
  const ended = signal ? { signal } : {}
  const { data: place } = await server.api.POST('/captures', {
    body: { ...fields, file_name: name } as NewCapture,
    ...ended,
  })
  const form = new FormData()
  for (const [field, value] of Object.entries(place!.upload_fields)) form.append(field, value)
  form.append('file', file, name) // last: what is behind it is not read
  const answer = await fetch(place!.upload_url, { method: 'POST', body: form, ...ended }).catch((cause) => {
    signal?.throwIfAborted()
    throw new KinebaseError(0, '', `no answer from ${new URL(place!.upload_url).origin}`, '', '', { cause })
  })
  if (!answer.ok) throw await KinebaseError.of(answer)
  await answer.body?.cancel()
  for (let pause = 100; wait; pause = Math.min(2000, pause * 2)) {
    const c = await server.capture(place!.session_id)
    if (c.status === 'error') throw new KinebaseError(0, 'error', c.error ?? 'the file cannot be read', '', '')
    if (c.status === 'completed') break
    await server.sleep(pause, signal)
  }
  return place!.session_id
}
