// Looks for athletes of the real server, as a table calls them.
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'

vi.hoisted(() => vi.stubGlobal('addEventListener', () => undefined))
import { Called } from '../../../src/upload/called'

const { url, busy } = inject('served')
const headers = { Authorization: `Bearer ${busy}`, 'Content-Type': 'application/json' }
const real = fetch
const ids = new Map<string, string>()

beforeAll(async () => {
  // A page calls with its cookie; here the token stands for it.
  vi.stubGlobal('fetch', (place: string) => real(place.replace('/console/v1', `${url}/v1`), { headers }))
  for (const [first_name, last_name, email] of [['Straße', 'Weiß', 'weiß@example.org'], ['İbrahim', 'Öz', ''], ['Ἀγαθοκλῆς', 'ΠΑΠΠΆΣ', ''], ['Jo  Anne', 'ŉ Ruß', ''], ['Strasse', 'Weiss', '']] as const) {
    const made = await real(`${url}/v1/athletes`, { method: 'POST', headers, body: JSON.stringify({ first_name, last_name, ...(email && { email }) }) })
    expect(made.status).toBe(200)
    ids.set(`${first_name} ${last_name}`, ((await made.json()) as { athlete: { id: string } }).athlete.id)
  }
})
afterAll(async () => {
  for (const id of ids.values()) await real(`${url}/v1/athletes/${id}`, { method: 'DELETE', headers })
  vi.stubGlobal('fetch', real)
})

test('athletes are found by every spelling that the server takes for the same', async () => {
  const called = new Called()
  const spellings = {
    'Straße Weiß': ['Straße Weiß', 'straße weiß', 'STRAßE WEIß', 'weiß@example.org', 'WEIß@Example.org'],
    'İbrahim Öz': ['İbrahim Öz', 'ibrahim öz', 'IBRAHIM ÖZ', 'İBRAHIM O\u0308z'],
    'Ἀγαθοκλῆς ΠΑΠΠΆΣ': ['Ἀγαθοκλῆς Παππάς', 'ἀγαθοκλῆσ παππάσ'],
    'Jo  Anne ŉ Ruß': ['jo anne ŉ ruß'],
    'Strasse Weiss': ['STRASSE WEISS'],
  }
  for (const [who, all] of Object.entries(spellings)) for (const one of all) expect([one, await called.find(one)]).toEqual([one, { id: ids.get(who) }])
  for (const none of ['Straße', 'Strasse Weiß', 'x'.repeat(200)]) expect(await called.find(none)).toEqual({ why: `nobody is called “${none}”` })
})
