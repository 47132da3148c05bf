import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundlePrograms } from '../bundle.mjs'
import { fingerprintOf } from '../hash.mjs'
import { bin, localCache, root } from '../paths.mjs'
import { step } from '../progress.mjs'
import { run } from '../run.mjs'
import { writeVersions } from '../version.mjs'

const inPackages = (/** @type {string[]} */ ...names) => names.map(name => `packages/${name}`)

/** What is built from which sources: also the marker of a complete build. */
const programs = {
  outputs: [
    ...['cli/dist/lectern.js', 'recorder/dist/recorder.js', 'transcriber/dist/transcriber.js'],
    ...['embed/dist/index.js', 'partner/dist/index.js'],
  ].map(path => `packages/${path}`),
  sources: [
    ...inPackages('cli', 'common', 'control-client', 'embed', 'partner', 'protocol', 'recorder', 'server'),
    ...inPackages('transcriber', 'worker-kit'),
    ...['package-lock.json', 'setup/bundle.mjs'],
  ],
  stamp: join(localCache, 'programs.stamp'),
}

/** The web pages, and at /docs the documents. */
const webPages = {
  outputs: inPackages('web/dist/index.html'),
  sources: [
    ...['README.md', 'CHANGES.md', 'docs', 'clients/README.md', 'clients/python/README.md'],
    ...['clients/php/README.md', 'packages/partner/README.md', 'package-lock.json'],
    ...inPackages('web', 'common', 'protocol', 'board', 'control-client', 'embed'),
  ],
  stamp: join(localCache, 'web-pages.stamp'),
}

/** Bundles the programs if their sources have changed. */
export async function buildPrograms() {
  await buildChanged(programs, 'Building the programs', bundlePrograms)
  // After each commit, also if nothing is to be built.
  await writeVersions(['cli', 'recorder', 'transcriber'])
}

/** Builds the web pages if their sources have changed. */
export const buildWebPages = () =>
  buildChanged(webPages, 'Building the web pages', async () => {
    const cwd = join(root, 'packages/web')
    await run(bin('vite'), ['build'], { cwd })
    await run(bin('vite'), ['build', '--config', 'docs.vite.config.ts'], { cwd })
  })

/**
 * @param {typeof programs} target
 * @param {string} title
 * @param {() => Promise<void>} build
 */
async function buildChanged({ outputs, sources, stamp }, title, build) {
  const fingerprint = fingerprintOf(sources.map(path => join(root, path)))
  const isComplete = existsSync(stamp) && outputs.every(path => existsSync(join(root, path)))
  if (isComplete && readFileSync(stamp, 'utf8') === fingerprint) return
  await step(title, build)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, fingerprint) // at last, so that an interrupted build is repeated
}
