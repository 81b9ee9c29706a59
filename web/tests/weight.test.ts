import { readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const dist = new URL('../dist/', import.meta.url).pathname
const manifest = () => JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8')) as Record<string, { file: string; css?: string[]; imports?: string[] }>

/** filesOf is all that some modules need, the page included. */
function filesOf(modules: string[]): string[] {
  const files = new Set<string>()
  const all = manifest()
  const follow = (key: string) => {
    const entry = all[key]
    if (!entry) throw new Error(`${key} is not in the build`)
    if (files.has(entry.file)) return
    files.add(entry.file)
    entry.css?.forEach((c) => files.add(c))
    entry.imports?.forEach(follow)
  }
  modules.forEach(follow)
  return ['index.html', ...files]
}

/** weight is what files take as browsers are sent them. */
function weight(files: string[]): number {
  const one = (name: string) => {
    for (const ending of ['.br', '.gz', '']) {
      const found = statSync(`${dist}${name}${ending}`, { throwIfNoEntry: false })
      if (found) return found.size
    }
    throw new Error(`${name} is not in the build`)
  }
  return files.reduce((sum, name) => sum + one(name), 0)
}

describe('compressed', () => {
  test('the first load, with the screen after signing in, weighs at most 40 kB, and has no 3D and no charts', () => {
    const files = filesOf(['index.html', 'src/screens/captures/index.tsx'])
    expect(files.some((f) => /three|view-|chart-|compare/.test(f))).toBe(false)
    expect(weight(files)).toBeLessThanOrEqual(40_000)
    expect(weight(files)).toBeGreaterThan(10_000)
  })

  test('the page of a capture weighs at most 200 kB, with its scene and its plots', () => {
    const files = filesOf(['index.html', 'src/screens/capture/index.tsx', 'src/screens/capture/scene/view.ts', 'src/screens/capture/plots/chart.ts'])
    expect(weight(files)).toBeLessThanOrEqual(200_000)
    expect(weight(files)).toBeGreaterThan(100_000)
  })

  test('a report of a capture weighs at most 200 kB, with its pictures and its charts', () => {
    expect(weight(filesOf(['index.html', 'src/screens/report/index.tsx', 'src/screens/report/OfCapture.tsx', 'src/screens/capture/scene/view.ts']))).toBeLessThanOrEqual(200_000)
  })

  test('a comparison weighs at most 60 kB', () => {
    const files = filesOf(['index.html', 'src/screens/compare/index.tsx'])
    expect(files.some((f) => /three|view-|figures/.test(f))).toBe(false)
    expect(weight(files)).toBeLessThanOrEqual(60_000)
  })

  test('its two figures weigh at most 200 kB with it, and come when they are wanted', () => {
    expect(weight(filesOf(['index.html', 'src/screens/compare/index.tsx', 'src/screens/compare/figures/index.tsx', 'src/screens/capture/scene/view.ts']))).toBeLessThanOrEqual(200_000)
  })
})
