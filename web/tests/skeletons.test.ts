// The editor of bones in the scene, and what an organization has saved in another recording.
import { describe, expect, test } from 'vitest'
import { accessible, open, picture, served, useBrowser } from './browser'
import { call, recorded } from './motion'

/** Markers whose names say nothing, and the axis of a segment beside them. */
function strange(names: string[]): Buffer {
  const count = names.length
  const head = [
    'PathFileType\t4\t(X/Y/Z)\tstrange.trc', 'DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames',
    `100\t100\t20\t${count}\tmm\t100\t1\t20`, `Frame#\tTime\t${names.join('\t\t\t')}\t\t`, `\t\t${names.map((_, i) => `X${i + 1}\tY${i + 1}\tZ${i + 1}`).join('\t')}`, '',
  ]
  const rows = Array.from({ length: 20 }, (_, n) => [n + 1, (n / 100).toFixed(3), ...names.flatMap((_, i) => [300 * Math.cos(i), 300 * Math.sin(i) + 5 * n, 200 * i])].join('\t'))
  return Buffer.from([...head, ...rows, ''].join('\n'))
}

const axis = ['PELO', 'PELA', 'PELL', 'PELP']

describe('bones', () => {
  useBrowser()

  test('are drawn by hand, saved for the organization, and found in a recording that lacks a point', async () => {
    const mine = await recorded('mine.trc', strange(['Q1', 'Q2', 'Q3', 'Q4', 'Q5', ...axis]))
    const lacking = await recorded('lacking.trc', strange(['q1', 'Q2', 'Q3', 'Q4', 'other']))
    const page = await open(`/captures/${mine}?plot=`, { still: true })
    await page.getByRole('img', { name: /^3D view of 5 points\. / }).waitFor()
    // Points that a model puts out are hidden until somebody wants them, with the bone of their axis.
    await page.getByLabel('Model points (4)').check()
    await page.getByRole('img', { name: /^3D view of 9 points and 1 bone\. / }).waitFor()
    await page.getByLabel('Model points (4)').uncheck()

    const card = page.locator('details.bones')
    await card.getByText('Bones', { exact: true }).click()
    await card.getByRole('button', { name: 'Edit bones' }).click()
    await card.getByRole('button', { name: 'Take all out' }).click()
    const point = page.locator('.stage-options').getByRole('combobox', { name: 'Point' })
    // As clicks in the scene do: the second point of two makes the bone.
    for (const name of ['Q1', 'Q2', 'Q3', 'Q4', 'Q4', 'Q5']) {
      if ((await point.locator('option:checked').textContent())?.trim() === name) await point.selectOption({ label: 'None' })
      await point.selectOption({ label: name })
    }
    await page.getByRole('img', { name: /^3D view of 5 points and 3 bones\. / }).waitFor()
    // And by the keyboard, from a list.
    await card.getByLabel('Bone from').selectOption('Q2')
    await card.getByLabel('Bone to').selectOption('Q3')
    await card.getByRole('button', { name: 'Join them' }).click()
    await page.getByRole('img', { name: /^3D view of 5 points and 4 bones\. / }).waitFor()
    await card.getByLabel('Bone from').selectOption('Q5')
    await card.getByLabel('Bone to').selectOption('Q4')
    await card.getByRole('button', { name: 'Take the bone out' }).click()
    await card.getByLabel('Bone from').selectOption('Q4')
    await card.getByLabel('Bone to').selectOption('Q5')
    await card.getByRole('button', { name: 'Join them' }).click()
    await card.getByLabel('Name of the set').fill('Ours')
    await accessible(page)
    await picture(page, 'bones')
    await card.getByRole('button', { name: 'Save for the organization' }).click()
    await card.getByText('Drawn by “Ours”').waitFor()
    const sets = (await (await call('GET', '/skeletons')).json()) as object
    expect(sets).toEqual({ skeletons: [{ name: 'Ours', bones: [['Q1', 'Q2'], ['Q3', 'Q4'], ['Q2', 'Q3'], ['Q4', 'Q5']] }] })

    const other = await open(`/captures/${lacking}?plot=`, { still: true })
    await other.getByRole('img', { name: /^3D view of 5 points and 3 bones\. / }).waitFor()
    await other.locator('details.bones').getByText('Bones', { exact: true }).click()
    await other.getByRole('button', { name: 'Remove “Ours”' }).click()
    await other.getByRole('img', { name: /^3D view of 5 points\. / }).waitFor()
    expect(await (await fetch(`${served.url}/v1/skeletons`, { headers: { Authorization: `Bearer ${served.token}` } })).json()).toEqual({ skeletons: [] })
  })
})
