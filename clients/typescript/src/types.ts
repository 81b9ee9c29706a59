// Names for what the interface document describes.
import type { paths } from './schema.js'

type Answer<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends {
  responses: { 200: { content: { 'application/json': infer B } } }
}
  ? B
  : never

/** Query is what an operation can be asked with. */
export type Query<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } }
  ? NonNullable<Q>
  : never

/** Sent is what an operation is sent. */
export type Sent<P extends keyof paths> = paths[P] extends {
  post: { requestBody?: { content: { 'application/json': infer B } } }
}
  ? NonNullable<B>
  : never

export type Athlete = Answer<'/athletes', 'get'>['athletes'][number]
export type Capture = Answer<'/captures', 'get'>['captures'][number]
export type Change = Answer<'/changes', 'get'>['changes'][number]
export type ChangePage = Answer<'/changes', 'get'>
export type ColumnUse = Answer<'/columns', 'get'>['columns'][number]
export type ExportJob = Answer<'/data/export/job/{jobId}', 'get'>
export type ExportRequest = Sent<'/data/export'>
export type MeasuredCapture = Answer<'/athletes/{athleteId}/metrics', 'get'>['captures'][number]
export type Motion = Answer<'/captures/{captureId}/motion', 'get'>
export type NewCapture = Sent<'/captures'>
export type Reservation = Answer<'/captures', 'post'>
