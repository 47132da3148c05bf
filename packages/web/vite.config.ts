import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileOnLoad } from './compile-on-load.ts'
import { firstPaintWaits } from './first-paint-waits.ts'
import { precompress } from './precompress.ts'

const source = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

export default defineConfig({
  plugins: [react(), firstPaintWaits, compileOnLoad, precompress],
  define: { __VERSION__: JSON.stringify(version) },
  resolve: {
    alias: [
      { find: /^@lectern\/protocol$/, replacement: source('protocol/src/index.ts') },
      {
        find: /^@lectern\/protocol\/control\/client$/,
        replacement: source('protocol/src/control/client.ts'),
      },
      { find: /^@lectern\/board$/, replacement: source('board/src/index.ts') },
      { find: /^@lectern\/embed\/messages$/, replacement: source('embed/src/messages.ts') },
      { find: /^@lectern\/control-client$/, replacement: source('control-client/src/index.ts') },
    ],
  },
  build: {
    // The Content-Security-Policy admits files from /assets/ and nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The protocol's schemas are for servers; the page must not load them for a constant or two.
      treeshake: { moduleSideEffects: [{ test: /packages\/protocol\/|\/typebox\//, sideEffects: false }] },
      // Each further file costs the first visit on a slow line more than keeping it would save later.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
})
