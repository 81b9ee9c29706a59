import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const folder = new URL('../../src/', import.meta.url).pathname
const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'))

describe('dark', () => {
  // So axe needs to look at colours alone in dark: see accessible in ../browser.ts.
  test('differs from light by colours and shadows alone', () => {
    const names: string[] = []
    for (const name of sheets) {
      const rest = readFileSync(folder + name, 'utf8').replaceAll(/@media \(prefers-color-scheme: dark\) \{\s*:root \{([^{}]*)\}\s*\}/g, (_, inside: string) => {
        for (const one of inside.trim().split(/;\s*/).filter(Boolean)) {
          expect(one, name).toMatch(/^--(shadow: [^;]+|[\w-]+: #[\da-f]{6})$/)
          names.push(one)
        }
        return ''
      })
      expect(rest, name).not.toContain('prefers-color-scheme')
    }
    expect(names.length).toBeGreaterThan(20)
  })
})
