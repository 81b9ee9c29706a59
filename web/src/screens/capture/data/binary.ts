// Rows of a recording as GET /captures/{id}/frames gives them in the type
// application/vnd.kinebase.frames: views of the bytes as they came, nothing copied but
// the columns that 32 bits cannot hold, which the head has in full.

export const framesType = 'application/vnd.kinebase.frames'

/** Numbers of a column, of 64 bits where 32 cannot hold them. */
export type Numbers = Float32Array | Float64Array

export interface Part {
  rate: number | null // frames a second
  from: number
  to: number
  every: number
  rows: number
  names: string[]
  time: Float64Array // seconds; NaN where nobody knows
  columns: Numbers[] // one for each name; NaN where missing
}

interface Head {
  rate: number | null
  from: number
  to: number
  every: number
  frames: number
  columns: string[]
  wide?: Record<string, (number | null)[]> // numbers of 64 bits, by the name of the column
}

/** Reads a whole answer; throws when it is not one, or was cut short. */
export function parsePart(body: ArrayBuffer): Part {
  const bytes = new Uint8Array(body)
  if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== 'KBF1') {
    throw new Error('The server answered with something other than frames.')
  }
  const length = new DataView(body).getUint32(4, true)
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))) as Head
  const rows = head.frames
  let at = 8 + length
  if (bytes.length !== at + rows * (8 + 4 * head.columns.length + 4)) {
    throw new Error('The frames were cut short on the way.')
  }
  const time = new Float64Array(body, at, rows)
  at += 8 * rows
  const wide = new Map(Object.entries(head.wide ?? {})) // a column may be called like a member of every object
  const columns = head.columns.map((name, i) => {
    const all = wide.get(name)
    return all?.length === rows
      ? Float64Array.from(all, (v) => v ?? NaN)
      : new Float32Array(body, at + 4 * rows * i, rows)
  })
  return { rate: head.rate, from: head.from, to: head.to, every: head.every, rows, names: head.columns, time, columns }
}

/** Escapes a name so that the channels parameter takes it for itself. */
export function escapeName(name: string): string {
  return name.replace(/[\\,*]/g, '\\$&').replace(/^[ \t]+|[ \t]+$/g, (blanks) => blanks.replace(/[ \t]/g, '\\$&'))
}
