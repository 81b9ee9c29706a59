// What a file is known by is what the server's own import makes of it.
import { createHash, randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'

vi.hoisted(() => vi.stubGlobal('addEventListener', () => undefined))
import { Sha256 } from '../../../src/upload/sha256'
import { idOf } from '../../../src/upload/there'

test('bytes have the SHA-256 of FIPS 180-4, in whatever parts they come', () => {
  for (const size of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 100_000]) {
    const bytes = randomBytes(size)
    for (const part of [1, 37, 64, 65, size + 1]) {
      const hash = new Sha256()
      for (let at = 0; at < size; at += part) hash.add(bytes.subarray(at, at + part))
      expect([size, part, Buffer.from(hash.sum()).toString('hex')]).toEqual([size, part, createHash('sha256').update(bytes).digest('hex')])
    }
  }
})

test('a path and its bytes have the id that the import gives them', () => {
  const content = new Sha256().add(new TextEncoder().encode('motion')).sum()
  // The same stands in manifest/id_test.go.
  for (const path of ['monday/a é.trc', 'monday/a e\u0301.trc']) expect(idOf(path, content)).toBe('1e044f10-48f9-87df-aac2-a6013474c2fa')
  expect(idOf('a.trc', content)).not.toBe(idOf('b.trc', content))
})
