// The protocol tus 1.0, as far as sending a file needs it. How bytes travel, and what follows from a failure, is the
// caller's.

const pieceBytes = 8 << 20

/** Wire carries the requests of one file. */
export interface Wire {
  /** Asks how many bytes of the file have come. */
  offset: () => Promise<number>
  /** Sends a piece that begins at so many bytes, and gives how many have come then, where the answer says so. */
  piece: (headers: Record<string, string>, bytes: Blob, from: number) => Promise<number | undefined>
}

/** goOn sends what has not come of a file, piece by piece. told hears how many bytes have come. */
export async function goOn(wire: Wire, file: Blob, told: (come: number) => void = () => {}): Promise<void> {
  for (let at = await wire.offset(); ; ) {
    told(at)
    if (at >= file.size) return
    const end = Math.min(at + pieceBytes, file.size)
    const headers = {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': String(at),
      'Content-Type': 'application/offset+octet-stream',
    }
    at = (await wire.piece(headers, file.slice(at, end), at)) ?? end
  }
}
