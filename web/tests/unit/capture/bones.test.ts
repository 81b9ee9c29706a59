import { describe, expect, it } from 'vitest'

import { bones } from '../../../src/screens/capture/skeleton/bones'
import { place } from '../../../src/screens/capture/skeleton/names'

const named = (names: string, subject: string | null = null) => names.split(' ').map((name) => ({ name, label: name, subject }))

function pairs(names: string): string[] {
  const points = named(names)
  return bones(points, []).map(([a, b]) => `${points[a]!.name}-${points[b]!.name}`)
}

describe('a name says the place whoever wrote it', () => {
  for (const [side, part, ...names] of [
    ['left', 'knee', 'LKNE', 'L.Knee', 'left_knee', 'Ann:LKNE', 'LeftKnee', 'knee_l', 'l knee', 'LLFC', 'lkne'],
    ['right', 'asis', 'RASI', 'R.ASIS', 'rASIS', 'r asis', 'RAsis', 'RFWT'],
    ['right', 'toe', 'RToe', 'RTOE', 'R.Toe.Tip', 'RBigToe', 'r met'],
    ['middle', 'sacrum', 'SACR', 'V.Sacral', 'VSAC'],
    ['left', 'forearm', 'mixamorig:LeftForeArm', 'LeftForeArm', 'mixamorig_LeftForeArm'],
    ['left', 'kneeangles', 'LKneeAngles', 'Ann:LKneeAngles'],
    ['right', 'hipmoment', 'RHipMoment'],
    ['left', 'anklepower', 'LAnklePower'],
    ['right', 'groundreactionforce', 'RGroundReactionForce'],
    ['middle', 'rollangle', 'RollAngle'],
    ['middle', 'lateralforce', 'LateralForce'],
    ['middle', 'larynx', 'Larynx'],
    ['middle', 'rib', 'RIB'],
    ['middle', 'root', 'Root'],
  ] as const) {
    it.each(names)(`%s is the ${part} of the ${side} side`, (name) => {
      const seen = place(name)
      expect(seen.part === 'pelvis' ? 'root' : seen.part).toBe(part)
      expect(seen.side).toBe(side)
    })
  }
})

describe('bones are guessed', () => {
  it('of Plug-in Gait', () => {
    const all = pairs('LFHD RFHD LBHD RBHD C7 T10 CLAV STRN RBAK LSHO LELB LWRA LWRB LFIN RSHO RELB RWRA RWRB RFIN LASI RASI LPSI RPSI LTHI LKNE LTIB LANK LHEE LTOE RTHI RKNE RTIB RANK RHEE RTOE')
    expect(all).toEqual(expect.arrayContaining(['LASI-LKNE', 'LKNE-LANK', 'RANK-RHEE', 'RHEE-RTOE', 'LSHO-LELB', 'RELB-RWRA', 'LASI-RASI', 'LFHD-RFHD', 'C7-T10']))
    expect(all.length).toBeGreaterThan(25)
    expect(new Set(all).size).toBe(all.length)
  })

  it("of OpenSim's names", () => {
    expect(pairs('R.ASIS L.ASIS V.Sacral R.Knee L.Knee R.Ankle L.Ankle R.Heel L.Heel R.Toe.Tip L.Toe.Tip Sternum R.Acromium L.Acromium R.Elbow R.Wrist.Lat R.Wrist.Med')).toEqual(
      expect.arrayContaining(['R.ASIS-R.Knee', 'L.Knee-L.Ankle', 'R.Heel-R.Toe.Tip', 'R.Acromium-Sternum', 'R.Elbow-R.Wrist.Lat']),
    )
  })

  it('of joints as games have them', () => {
    expect(pairs('Hips Spine Spine1 Neck Head LeftShoulder LeftArm LeftForeArm LeftHand RightShoulder RightArm RightForeArm RightHand LeftUpLeg LeftLeg LeftFoot LeftToeBase RightUpLeg RightLeg RightFoot RightToeBase')).toEqual(
      expect.arrayContaining(['Hips-Spine', 'Spine-Spine1', 'Spine1-Neck', 'Neck-Head', 'Spine1-LeftShoulder', 'LeftShoulder-LeftArm', 'LeftArm-LeftForeArm', 'RightForeArm-RightHand', 'Hips-LeftUpLeg', 'LeftUpLeg-LeftLeg', 'RightLeg-RightFoot', 'LeftFoot-LeftToeBase']),
    )
  })

  it('of joints without a trunk, whose flanks join them', () => {
    expect(pairs('RHip RKnee RAnkle RBigToe LHip LKnee LAnkle Neck Head RShoulder RElbow RWrist LShoulder')).toEqual(expect.arrayContaining(['RHip-RKnee', 'RShoulder-RHip', 'RShoulder-Neck', 'LHip-RHip', 'Neck-Head']))
  })

  it('not of markers without meaning', () => {
    expect(pairs('M1 M2 M3 M4 Channel101 unnamed_1 NewMarker RS LS')).toEqual([])
  })

  it('of every subject by itself', () => {
    const leg = 'LASI LKNE LANK LHEE'
    const two = [...named(leg, 'Ann'), ...named(leg, 'Bob').map((p) => ({ ...p, name: `${p.name}_2` }))]
    const all = bones(two, [])
    expect(all.length).toBeGreaterThan(4)
    expect(all.every(([a, b]) => two[a]!.subject === two[b]!.subject)).toBe(true)
  })

  it('of what hands hold, which is a subject of its own', () => {
    const all = [...named('LASI LKNE LANK LHEE'), ...named('GRIP HEAD', 'Club')]
    expect(bones(all, [])).toContainEqual([4, 5])
  })

  it('of the axes that models put out', () => {
    expect(pairs('LFEO LFEA LFEL LFEP RTIO RTIP')).toEqual(['LFEO-LFEP', 'RTIO-RTIP'])
  })
})

it('what the file says stands, and what it does not have is left out', () => {
  expect(bones(named('LASI LKNE x'), [['x', 'LASI'], ['x', 'gone']])).toEqual([[2, 0]])
})
