// Puts beside every file of the build its compressed forms, where those are smaller:
// the server gives out what lies there and compresses nothing itself. What an
// earlier build has left is removed.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const dist = new URL('../dist/', import.meta.url).pathname
const page = await readFile(join(dist, 'index.html'), 'utf8')

// What this build is made of: the page, and whatever is named in it or in what it names.
const all = await readdir(join(dist, 'assets'))
const live = new Set()
const follow = (text) => {
  for (const name of all) {
    if (live.has(name) || /\.(br|gz)$/.test(name) || !text.includes(name)) continue
    live.add(name)
  }
}
follow(page)
for (let seen = -1; seen !== live.size; ) {
  seen = live.size
  for (const name of [...live]) if (/\.(js|css)$/.test(name)) follow(await readFile(join(dist, 'assets', name), 'utf8'))
}
for (const name of all) if (!live.has(name)) await rm(join(dist, 'assets', name))

for (const path of ['index.html', ...[...live].map((name) => join('assets', name))]) {
  const bytes = await readFile(join(dist, path))
  const small = {
    br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    gz: gzipSync(bytes, { level: 9 }),
  }
  for (const [ending, b] of Object.entries(small)) {
    const name = join(dist, `${path}.${ending}`)
    await rm(name, { force: true })
    if (b.length < bytes.length) await writeFile(name, b)
  }
}
