import type { Plugin } from 'vite'

/** Whose functions run while somebody joins. They are loaded, and waited for by nobody, while the prejoin page is shown. */
const CHUNKS = new Set(['room-module', 'Chrome111'])

/**
 * Chromium compiles all functions of these chunks when it loads them, on another thread, instead of each at its first call,
 * when the page's thread is what everybody waits for (decision 94).
 */
export const compileOnLoad: Plugin = {
  name: 'compile-on-load',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler: (_options, bundle) => {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && CHUNKS.has(file.name))
          file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
      }
    },
  },
}
