import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const protocol = fileURLToPath(new URL('../protocol/src/', import.meta.url))

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@lectern/protocol': `${protocol}index.ts` } },
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
