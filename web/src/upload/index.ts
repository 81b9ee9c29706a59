export { Upload } from './dialog'
export { useDrop } from './drop'
