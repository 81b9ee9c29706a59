// The public client of tus sends a file to an address that a reservation gave: tus.mjs FILE ADDRESS BYTES-A-PIECE.
import { readFileSync } from 'node:fs'
import { Upload } from 'tus-js-client'

const [path, uploadUrl, piece] = process.argv.slice(2)
new Upload(readFileSync(path), {
  uploadUrl,
  chunkSize: Number(piece),
  retryDelays: Array(10).fill(50), // in a row, without a byte that came
  onShouldRetry: () => true,
  storeFingerprintForResuming: false,
  onError(error) {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  },
}).start()
