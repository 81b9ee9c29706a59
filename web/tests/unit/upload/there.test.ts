// What a file is known by is what the server's own import makes of it.
import { expect, test, vi } from 'vitest'

vi.hoisted(() => vi.stubGlobal('addEventListener', () => undefined))
import { sha256 } from '@noble/hashes/sha2.js'
import { idOf } from '../../../src/upload/there'

test('a path and its bytes have the id that the import gives them', () => {
  const content = sha256(new TextEncoder().encode('motion'))
  // The same stands in manifest/id_test.go.
  for (const path of ['monday/a é.trc', 'monday/a e\u0301.trc']) expect(idOf(path, content)).toBe('1e044f10-48f9-87df-aac2-a6013474c2fa')
  expect(idOf('a.trc', content)).not.toBe(idOf('b.trc', content))
})
