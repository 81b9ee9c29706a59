import { defineConfig } from 'vitest/config'

// A running server for `npm run dev`: KINEBASE=http://127.0.0.1:8080 npm run dev
const server = process.env.KINEBASE ?? 'http://127.0.0.1:8080'

export default defineConfig({
  build: {
    target: 'es2022',
    // Whoever is given the program is given the licences of what is in it.
    license: true,
    // The server refuses inline code, and small files as data: addresses with it.
    assetsInlineLimit: 0,
    // The folder has one file of its own, which is there before the first build.
    emptyOutDir: false,
    // Says which file has what, for the test of what the first load weighs.
    manifest: true,
    // Three dimensions weigh that much, and come when they are looked at.
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { '/console': { target: server, headers: { origin: server } } },
  },
  // The TypeScript client is taken as source, and has no packages of its own here.
  resolve: {
    alias: [
      { find: /^kinebase$/, replacement: `${import.meta.dirname}/../clients/typescript/src/index.ts` },
      { find: /^kinebase\/(.+)$/, replacement: `${import.meta.dirname}/../clients/typescript/src/$1.ts` },
      { find: 'openapi-fetch', replacement: `${import.meta.dirname}/node_modules/openapi-fetch/dist/index.mjs` },
    ],
  },
  test: {
    globalSetup: ['tests/server.ts'],
    include: ['tests/**/*.test.ts', 'src/**/*.test.ts'],
    // The tests share a browser, a server and their time on a small machine.
    fileParallelism: false,
    isolate: false,
    testTimeout: 240_000, // on a busy machine
    hookTimeout: 120_000,
    // What comes a moment later may take its time on a busy machine.
    expect: { poll: { timeout: 20_000 } },
  },
})
