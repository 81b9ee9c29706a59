import type { Kinebase } from './client.js'
import { KinebaseError } from './error.js'
import type { ExportJob, ExportRequest } from './types.js'

export type ExportFormat = 'csv' | 'ndjson' | 'parquet'

const types: Record<ExportFormat, string> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
}

/** ExportOptions say how a result is given. */
export interface ExportOptions {
  /** csv without it. */
  as?: ExportFormat
  /** Is told how far the export is. */
  onProgress?: (job: ExportJob) => void
  /** Ends the waiting; the export itself goes on. */
  signal?: AbortSignal
}

/** exported starts an export, waits for it and opens its result. */
export async function exported(server: Kinebase, request: ExportRequest, options: ExportOptions): Promise<Response> {
  const as = types[options.as ?? 'csv']
  if (!as) throw new TypeError(`as must be one of ${Object.keys(types).join(', ')}, not ${options.as}`)
  const signal = options.signal ? { signal: options.signal } : {}
  const { data: started } = await server.api.POST('/data/export', { body: request, ...signal })
  let job = started as ExportJob
  for (let pause = 100; job.status === 'RUNNING'; pause = Math.min(5000, pause * 2)) {
    options.onProgress?.(job)
    await server.sleep(pause, options.signal)
    const { data } = await server.api.GET('/data/export/job/{jobId}', {
      params: { path: { jobId: job.jobId } },
      ...signal,
    })
    job = data as ExportJob
  }
  options.onProgress?.(job)
  if (job.status !== 'COMPLETED') {
    throw new KinebaseError(0, job.status, job.errorMessage ?? 'the export was canceled', '', '')
  }
  const { response } = await server.api.GET('/data/export/job/{jobId}/results', {
    params: { path: { jobId: job.jobId } },
    headers: { Accept: as },
    parseAs: 'stream',
    ...signal,
  })
  return response
}
