// Names for what the interface document describes.
import type { paths } from './schema.js'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>
type Body<T> = T extends { content: { 'application/json': infer B } } ? B : undefined
type Answers<T> = T extends { responses: infer R } ? R : never

/** Answer is the JSON of an operation's good answer. */
export type Answer<P extends keyof paths, M extends Method = 'get'> = {
  [S in keyof Answers<Operation<P, M>>]: S extends 200 | 201 | 202 ? Body<Answers<Operation<P, M>>[S]> : never
}[keyof Answers<Operation<P, M>>]

/** Sent is the JSON that an operation takes. */
export type Sent<P extends keyof paths, M extends Method = 'post'> =
  Operation<P, M> extends { requestBody?: infer B } ? Body<NonNullable<B>> : undefined

/** Query is what an operation can be asked with. */
export type Query<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } }
  ? NonNullable<Q>
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
export type NewShare = Sent<'/shares'>
export type Processing = Answer<'/captures/{captureId}/processing', 'get'>['processing']
export type Share = Answer<'/shares', 'get'>['shares'][number] & { secret?: string }
export type Shared = Answer<'/shared', 'get'>
export type Skeleton = Answer<'/skeletons', 'get'>['skeletons'][number]
export type Reservation = Answer<'/captures', 'post'>
