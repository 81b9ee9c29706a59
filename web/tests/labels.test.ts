// What forms offer is what the server takes: its library of movements says both.
import { expect, inject, test } from 'vitest'
import { Kinebase } from 'kinebase'
import { dimensions, dimensionsOf, valuesOf } from '../src/labels'

test('the dimensions of movements and their values are those of the server', async () => {
  const served = inject('served')
  const { data } = await new Kinebase({ url: `${served.url}/v1`, token: served.viewer }).api.GET('/movements')
  const said = data!.movements.filter((m) => m.dimensions.length > 0)
  const pairs = said.map((m) => `${m.activity}/${m.movement}`).sort()
  const offered = Object.entries(dimensions).flatMap(([activity, movements]) => Object.keys(movements).map((m) => `${activity}/${m}`)).sort()
  expect(offered).toEqual(pairs)
  expect(pairs.length).toBeGreaterThan(20)
  for (const m of said) {
    expect([...dimensionsOf(m.activity, m.movement)].sort(), `${m.activity}/${m.movement}`).toEqual(m.dimensions.map((d) => d.name).sort())
    for (const d of m.dimensions) {
      expect(valuesOf(d.name, m.movement), `${d.name} of ${m.movement}`).toEqual(d.enforced ? d.values : [])
    }
  }
})
