import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstPaintWaits } from './first-paint-waits.ts'
import { guidePages } from './guides/plugin.ts'
import { precompress } from './precompress.ts'

/** The pages at /docs. Built apart, so that they change no file of the rooms. */
export default defineConfig({
  plugins: [react(), firstPaintWaits, guidePages, precompress],
  publicDir: false,
  build: {
    emptyOutDir: false, // after the other pages
    // The Content-Security-Policy admits files from /assets/ and nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'docs.html' },
  },
})
