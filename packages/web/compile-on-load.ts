import type { Plugin } from 'vite'

/** Most of the code that runs during a join: the room, and mediasoup-client. The prejoin page loads both and waits for neither. */
const CHUNKS = ['room-module', 'Chrome111']

/**
 * Makes Chromium compile all functions of these chunks when it loads them, on another thread, instead of each at its first
 * call, on the page's thread, which delays the join (decision 94). Fails if there is no such chunk any more.
 */
export const compileOnLoad: Plugin = {
  name: 'compile-on-load',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const name of CHUNKS) {
        const chunk = Object.values(bundle).find(file => file.type === 'chunk' && file.name === name)
        if (chunk?.type !== 'chunk') return this.error(`There is no chunk ${name}.`)
        chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
      }
    },
  },
}
