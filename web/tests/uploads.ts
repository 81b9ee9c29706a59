// What tests of uploads share.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { trc } from './browser'

/** motion is a file of motion, of each test other bytes: what another one has sent is there already. */
export function motion(name: string, frames = 20) {
  const buffer = Buffer.from(trc(frames).toString().replace('swing.trc', (expect.getState().currentTestName ?? '').replace(/\W+/g, '-')))
  return { name, mimeType: 'text/plain', buffer }
}

/** choose opens the dialog and chooses files. */
export async function choose(page: Page, files: ReturnType<typeof motion>[]): Promise<void> {
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  await page.getByLabel('Files to upload').setInputFiles(files)
}

/** tray is the corner that lists what is on its way. */
export const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' })
