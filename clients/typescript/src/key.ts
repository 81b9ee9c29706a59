/**
 * newKey is a key for Idempotency-Key that nobody else has. crypto.randomUUID would do,
 * but browsers have it on secure connections alone, and in a lab the server may well be
 * reached by http.
 */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('')
}
