// SHA-256 (FIPS 180-4), part by part: `crypto.subtle` wants all bytes at once, and is missing on a page without https.

/** root gives the first 32 bits of the part behind the point of a root of n. */
const root = (n: number, part: number) => ((n ** part % 1) * 2 ** 32) | 0

/** primes are the first n of them. */
function primes(n: number): number[] {
  const found: number[] = []
  for (let c = 2; found.length < n; c++) if (found.every((p) => c % p !== 0)) found.push(c)
  return found
}

const first = primes(64)
const constants = Int32Array.from(first, (p) => root(p, 1 / 3))

/** Sha256 is a hash that grows. */
export class Sha256 {
  private readonly state = Int32Array.from(first.slice(0, 8), (p) => root(p, 1 / 2))
  private readonly words = new Int32Array(64)
  private readonly rest = new Uint8Array(64)
  private held = 0
  private length = 0

  /** add takes more bytes. */
  add(bytes: Uint8Array): this {
    this.length += bytes.length
    let at = 0
    while (at < bytes.length) {
      if (this.held === 0 && bytes.length - at >= 64) {
        this.block(bytes, at)
        at += 64
        continue
      }
      const some = bytes.subarray(at, at + 64 - this.held)
      this.rest.set(some, this.held)
      this.held += some.length
      at += some.length
      if (this.held === 64) {
        this.block(this.rest, 0)
        this.held = 0
      }
    }
    return this
  }

  /** sum ends it, and gives the 32 bytes. */
  sum(): Uint8Array {
    const bits = this.length * 8
    const end = new Uint8Array((this.held < 56 ? 64 : 128) - this.held)
    end[0] = 0x80
    const view = new DataView(end.buffer)
    view.setUint32(end.length - 8, Math.floor(bits / 2 ** 32))
    view.setUint32(end.length - 4, bits >>> 0)
    this.add(end)
    const sum = new Uint8Array(32)
    const out = new DataView(sum.buffer)
    for (let i = 0; i < 8; i++) out.setInt32(4 * i, this.state[i]!)
    return sum
  }

  private block(bytes: Uint8Array, at: number): void {
    const w = this.words
    for (let i = 0; i < 16; i++, at += 4)
      w[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15]!
      const y = w[i - 2]!
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
      w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0
    }
    const s = this.state
    // An iterator over eight numbers would take longer than their rounds.
    let a = s[0]!
    let b = s[1]!
    let c = s[2]!
    let d = s[3]!
    let e = s[4]!
    let f = s[5]!
    let g = s[6]!
    let h = s[7]!
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + w[i]!) | 0
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    s[0] = (s[0]! + a) | 0
    s[1] = (s[1]! + b) | 0
    s[2] = (s[2]! + c) | 0
    s[3] = (s[3]! + d) | 0
    s[4] = (s[4]! + e) | 0
    s[5] = (s[5]! + f) | 0
    s[6] = (s[6]! + g) | 0
    s[7] = (s[7]! + h) | 0
  }
}
