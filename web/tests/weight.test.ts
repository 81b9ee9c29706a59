import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const dist = new URL('../dist/', import.meta.url).pathname

/** All that a browser loads before the first screen is there, compressed. */
describe('the first load', () => {
  test('weighs at most 60 kB', () => {
    const page = readFileSync(`${dist}index.html`, 'utf8')
    const direct = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map((m) => m[1]!)
    const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8')) as Record<string, { file: string; css?: string[]; imports?: string[] }>
    const files = new Set(direct)
    const follow = (key: string) => {
      const entry = manifest[key]
      if (!entry || files.has(`${entry.file}!`)) return
      files.add(`${entry.file}!`)
      files.add(entry.file)
      entry.css?.forEach((c) => files.add(c))
      entry.imports?.forEach(follow)
    }
    follow('index.html')
    follow('src/screens/captures/index.tsx') // the screen after signing in
    const weight = (name: string) => {
      try {
        return readFileSync(`${dist}${name}.gz`).length
      } catch {
        return readFileSync(`${dist}${name}`).length
      }
    }
    const all = [...files].filter((f) => !f.endsWith('!'))
    const bytes = all.reduce((sum, name) => sum + weight(name), weight('index.html'))
    expect(all.some((f) => /three|view-/.test(f))).toBe(false)
    expect(bytes).toBeLessThanOrEqual(60_000)
    expect(bytes).toBeGreaterThan(10_000)
  })
})
