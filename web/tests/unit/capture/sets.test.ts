// Sets of bones of an organization, and points that a model puts out.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { NamedPoint } from '../../../src/screens/capture/skeleton/bones'
import { outputsOf } from '../../../src/screens/capture/skeleton/outputs'
import { drawn, fittings, namesOf, placed, toggled, without, type BoneSet } from '../../../src/screens/capture/skeleton/sets'

const of = (names: string, subject: string | null = null): NamedPoint[] => names.split(' ').map((label) => ({ name: subject ? `${subject} ${label}` : label, label, subject }))
const set = (name: string, ...bones: string[]): BoneSet => ({ name, bones: bones.map((b) => b.split('-')) })
const five = set('five', 'A-B', 'B-C', 'C-D', 'D-E')

/** The cases that the server's tests of what a link tells have too. */
interface Case {
  case: string
  sets: BoneSet[]
  subjects: string[][]
  by: (string | null)[]
}
const cases = JSON.parse(readFileSync(new URL('../../../../skeleton/testdata/drawn.json', import.meta.url), 'utf8')) as Case[]

describe('a set of bones', () => {
  test.each(cases)('is chosen as the server chooses it: $case', ({ sets, subjects, by }) => {
    const points = subjects.flatMap((labels, i) => labels.map((label) => ({ name: label, label, subject: `${i}` })))
    const fit = fittings(points, sets)
    expect(subjects.map((_, i) => fit.find((f) => f.subject === `${i}`)?.set.name ?? null)).toEqual(by)
  })

  test('counts with four of its five points, whatever the case of letters, and not with three', () => {
    expect(fittings(of('a B c D X'), [five])[0]!.bones).toEqual([[0, 1], [1, 2], [2, 3]])
    expect(fittings(of('A B C X Y'), [five])).toEqual([])
  })

  test('gives way to one with more of its points there, and to an earlier one with as many', () => {
    const two = set('two', 'A-B')
    expect(fittings(of('A B C D E'), [two, five])[0]!.set).toBe(five)
    const other = set('other', 'A-C', 'B-D', 'E-A')
    expect(fittings(of('A B C D E'), [other, five])[0]!.set).toBe(other)
    // A larger one that does not fit is no reason to draw none.
    expect(fittings(of('A B'), [five, two])[0]!.set).toBe(two)
  })

  test('is looked for in each subject by itself; one without it keeps the bones that are known', () => {
    const points = [...of('A B C D E', 'Ann'), ...of('A B X', 'Bob')]
    expect(drawn(points, [five], [[0, 4], [5, 7]])).toEqual([[0, 1], [1, 2], [2, 3], [3, 4], [5, 7]])
  })

  test('is changed bone by bone, from either end', () => {
    const pairs = namesOf([...of('A B C', 'Ann'), ...of('A B C', 'Bob')], [[0, 1], [3, 4], [5, 4]])
    expect(pairs).toEqual([['A', 'B'], ['C', 'B']])
    expect(toggled(pairs, 'b', 'C')).toEqual([['A', 'B']])
    expect(toggled(pairs, 'A', 'C')).toEqual([...pairs, ['A', 'C']])
  })

  test('takes the place of the one of its name, before all others', () => {
    const sets = [set('a', 'A-B'), set('b', 'A-B')]
    expect(placed(sets, set('B', 'C-D')).map((s) => s.name)).toEqual(['B', 'a'])
    expect(without(sets, 'A').map((s) => s.name)).toEqual(['b'])
  })
})

describe('points of a model', () => {
  const outputs = (names: string) => {
    const points = of(names)
    return outputsOf(points).flatMap((is, i) => (is ? [points[i]!.label] : []))
  }

  test('are the axes of Plug-in Gait, numbers of joints and centres of mass', () => {
    expect(outputs('LASI RASI PELO PELA PELL PELP LFEO LFEA LFEL LFEP HEDO HEDA HEDL HEDP LHJC CentreOfMass CentreOfMassFloor LKneeAngles RHipMoment LGroundReactionForce LTOE')).toEqual(
      'PELO PELA PELL PELP LFEO LFEA LFEL LFEP HEDO HEDA HEDL HEDP CentreOfMass CentreOfMassFloor LKneeAngles RHipMoment LGroundReactionForce'.split(' '),
    )
  })

  test('are no markers that are called like one of an axis', () => {
    expect(outputs('LTOA LTOP RTHL LHNP PELO LKNE angle LFIN')).toEqual([])
    expect(outputsOf([...of('PELO PELA', 'Ann'), ...of('PELL PELP', 'Bob')])).toEqual([false, false, false, false])
  })
})
