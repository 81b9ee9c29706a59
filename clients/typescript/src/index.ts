// The client of Kinebase for TypeScript and JavaScript, in Node.js and in browsers.
export { Kinebase, type Options } from './client.js'
export { KinebaseError } from './error.js'
export type { AthleteFilter, CaptureFilter, ChangeFilter, ColumnFilter, MetricsFilter } from './lists.js'
export type { FrameQuery, Frames } from './frames.js'
export { Shares, Visitor } from './shared.js'
export type { ExportFormat, ExportOptions } from './exports.js'
export type { UploadOptions } from './upload.js'
export type {
  Athlete,
  Capture,
  Change,
  ColumnUse,
  ExportJob,
  ExportRequest,
  MeasuredCapture,
  Motion,
  NewCapture,
  NewShare,
  Processing,
  Share,
  Shared,
  Skeleton,
} from './types.js'
export type { paths } from './schema.js'
