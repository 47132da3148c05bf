import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const source = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

export default defineConfig({
  plugins: [react()],
  define: { __VERSION__: JSON.stringify(version) },
  resolve: {
    alias: [
      { find: /^@lectern\/protocol$/, replacement: source('protocol/src/index.ts') },
      {
        find: /^@lectern\/protocol\/control\/client$/,
        replacement: source('protocol/src/control/client.ts'),
      },
      { find: /^@lectern\/control-client$/, replacement: source('control-client/src/index.ts') },
    ],
  },
  build: {
    // The page's Content-Security-Policy admits files from /assets/ and nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The schemas in protocol are for servers; the page takes a constant or two and must not carry the rest.
      treeshake: { moduleSideEffects: [{ test: /packages\/protocol\/|\/typebox\//, sideEffects: false }] },
    },
  },
})
