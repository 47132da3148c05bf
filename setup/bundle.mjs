/** `node setup/bundle.mjs`: makes few files of each compiled program, so that it starts soon (decision 20). */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { localCache, root } from './paths.mjs'

/** The programs of each package by name: where they begin. */
const programs = {
  cli: { lectern: 'main.js' },
  recorder: { recorder: 'main.js' },
  transcriber: { transcriber: 'main.js', 'transducer-thread': 'engines/transducer-thread.js' },
}

/** Besides our own, libraries of hundreds of small modules. Whatever else there is stays where npm has put it. */
const bundled = /^(@lectern\/|\.|\/|(typebox|kysely|jose|mediabunny|werift-rtp)(\/|$))/

const packages = join(root, 'packages')

/** Written when all of them are there: whoever ends us in the middle leaves nothing that counts as made. */
const stampFile = join(localCache, 'programs.stamp')
const made = [
  stampFile,
  ...Object.entries(programs).flatMap(([name, entries]) =>
    Object.keys(entries).map(program => join(packages, name, 'dist', `${program}.js`)),
  ),
]

/** Nothing was compiled or installed since they were made. */
export function areBundled() {
  const compiled = readdirSync(packages).map(name => join(packages, name, 'dist/.tsbuildinfo'))
  const sources = [...compiled, join(root, 'package-lock.json'), import.meta.filename].filter(existsSync)
  const newest = Math.max(...sources.map(modifiedAt))
  return made.every(existsSync) && modifiedAt(stampFile) >= newest
}

/** Bundles lie beside what they are made of: paths that code takes from its own file stay the same. */
export async function bundlePrograms() {
  const { rolldown } = await import('rolldown') // takes a moment, and mostly there is nothing to do
  for (const [name, entries] of Object.entries(programs)) {
    const dist = join(packages, name, 'dist')
    const input = Object.fromEntries(
      Object.entries(entries).map(([program, begins]) => [program, join(dist, begins)]),
    )
    const bundle = await rolldown({ input, platform: 'node', external: id => !bundled.test(id) })
    await bundle.write({ dir: dist, entryFileNames: '[name].js', chunkFileNames: '[name].chunk.js' })
    await bundle.close()
  }
  mkdirSync(localCache, { recursive: true })
  writeFileSync(stampFile, '')
}

/** @param {string} file */
const modifiedAt = file => statSync(file).mtimeMs

if (import.meta.filename === process.argv[1]) await bundlePrograms()
