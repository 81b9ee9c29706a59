export { arrived, askUpload, keep, kept } from './state'
export { Uploads } from './uploads'
