import type { Kinebase } from './client.js'
import { KinebaseError } from './error.js'
import { inPieces, whole } from './pieces.js'
import type { NewCapture, Reservation } from './types.js'

/** UploadOptions are what a capture is to be called, and how its file is sent. */
export interface UploadOptions extends Omit<NewCapture, 'file_name'> {
  /** The name of the file, whose ending tells its kind; a File has one. */
  file_name?: string
  /** Waits until the file has been read. A file that cannot be read is then an error. */
  wait?: boolean
  /** Is told how many bytes have come, of a file that goes in pieces: one of more than 1 MiB. */
  progress?: (come: number) => void
  signal?: AbortSignal
}

/** uploaded reserves a place, sends the file, a large one in pieces, and gives the session id. */
export async function uploaded(server: Kinebase, file: Blob, options: UploadOptions): Promise<string> {
  const { wait, signal, progress, ...fields } = options
  const name = fields.file_name ?? (file as Partial<File>).name
  if (!name) throw new TypeError('the file has no name: set file_name')
  const ended = signal ? { signal } : {}
  const large = file.size > whole
  const { data: place } = await server.api.POST('/captures', {
    body: { ...fields, file_name: name, ...(large ? { file_size: file.size } : {}) } as NewCapture,
    ...(large ? { params: { query: { include: 'resumable' as const } } } : {}),
    ...ended,
  })
  if (large) await inPieces(place!.upload_resumable_url!, file, server.sleep, signal, progress)
  else await byForm(place!, file, name, signal)
  for (let pause = 100; wait; pause = Math.min(2000, pause * 2)) {
    const c = await server.capture(place!.session_id)
    if (c.status === 'error') throw new KinebaseError(0, 'error', c.error ?? 'the file cannot be read', '', '')
    if (c.status === 'completed') break
    await server.sleep(pause, signal)
  }
  return place!.session_id
}

/** byForm sends a file at once. */
async function byForm(place: Reservation, file: Blob, name: string, signal?: AbortSignal): Promise<void> {
  const form = new FormData()
  for (const [field, value] of Object.entries(place.upload_fields)) form.append(field, value)
  form.append('file', file, name) // last: what is behind it is not read
  const answer = await fetch(place.upload_url, { method: 'POST', body: form, ...(signal ? { signal } : {}) }).catch(
    (cause) => {
      signal?.throwIfAborted()
      throw new KinebaseError(0, '', `no answer from ${new URL(place.upload_url).origin}`, '', '', { cause })
    },
  )
  if (!answer.ok) throw await KinebaseError.of(answer)
  await answer.body?.cancel()
}
