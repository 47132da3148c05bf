import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundlePrograms } from '../bundle.mjs'
import { buildClients } from '../clients/build-clients.mjs'
import { fingerprintOf } from '../hash.mjs'
import { bin, localCache, root } from '../paths.mjs'
import { step } from '../progress.mjs'
import { run } from '../run.mjs'
import { writeVersions } from '../version.mjs'

/**
 * The folders of packages, and of all packages of ours that they depend on.
 *
 * @param {...string} names
 * @returns {string[]}
 */
export function inPackages(...names) {
  const found = new Set(names)
  for (const name of found) {
    const { dependencies = {} } = JSON.parse(
      readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
    )
    for (const each of Object.keys(dependencies))
      if (each.startsWith('@lectern/')) found.add(each.slice('@lectern/'.length))
  }
  return [...found].map(name => `packages/${name}`)
}

/** What is built from which sources: also the marker of a complete build. */
const programs = {
  outputs: [
    ...['cli/dist/lectern.js', 'recorder/dist/recorder.js', 'transcriber/dist/transcriber.js'],
    'converter/dist/converter.js',
    ...['embed/dist/index.js', 'partner/dist/index.js'],
  ].map(path => `packages/${path}`),
  sources: [
    ...inPackages('cli', 'converter', 'embed', 'partner', 'protocol', 'recorder', 'transcriber'),
    ...['package-lock.json', 'setup/bundle.mjs'],
  ],
  stamp: join(localCache, 'programs.stamp'),
}

/** The web pages, and at /docs the documents. */
const webPages = {
  outputs: ['packages/web/dist/index.html'],
  sources: [
    ...['README.md', 'CHANGES.md', 'docs', 'clients/README.md', 'clients/python/README.md'],
    ...['clients/php/README.md', 'packages/partner/README.md', 'package-lock.json'],
    ...inPackages('web'),
  ],
  stamp: join(localCache, 'web-pages.stamp'),
}

/** The clients that every server serves beside its pages. */
const clients = {
  outputs: ['packages/web/dist/embed.js', 'packages/web/dist/clients/packages.json'],
  sources: ['LICENSE', 'clients', 'setup/clients', ...inPackages('embed', 'partner')],
  stamp: join(localCache, 'clients.stamp'),
}

/** Bundles the programs if their sources have changed. */
export async function buildPrograms() {
  await buildChanged(programs, 'Building the programs', bundlePrograms)
  // After each commit, also if nothing is to be built.
  await writeVersions(['cli', 'converter', 'recorder', 'transcriber'])
}

/** Builds the web pages if their sources have changed. */
export const buildWebPages = () =>
  buildChanged(webPages, 'Building the web pages', async () => {
    const cwd = join(root, 'packages/web')
    await run(bin('vite'), ['build'], { cwd })
    await run(bin('vite'), ['build', '--config', 'docs.vite.config.ts'], { cwd })
  })

/** Packs the clients if their sources have changed. Needs the programs, and the folder of the pages. */
export const buildServedClients = () => buildChanged(clients, 'Packing the clients', buildClients)

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
