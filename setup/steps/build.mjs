import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { areBundled, bundlePrograms } from '../bundle.mjs'
import { hashOf } from '../hash.mjs'
import { bin, localCache, root } from '../paths.mjs'
import { step } from '../progress.mjs'
import { run } from '../run.mjs'

const QUICK_MS = 1500

/** Compiles all packages incrementally; prints nothing if nothing has changed. */
export async function buildPackages() {
  await step('Compiling the packages', () => run(bin('tsc'), ['-b'], { cwd: root }), { silentMs: QUICK_MS })
  if (!areBundled()) await step('Bundling the programs', bundlePrograms, { silentMs: QUICK_MS })
}

/** The sources of the web pages, and the documents of those at /docs. */
const sources = [
  'README.md',
  'CHANGES.md',
  'docs',
  'clients/README.md',
  'clients/python/README.md',
  'clients/php/README.md',
  'packages/partner/README.md',
  'packages/web',
  'packages/common',
  'packages/protocol',
  'packages/control-client',
  'packages/embed',
  'package-lock.json',
]
const stampFile = join(localCache, 'web-pages.stamp')

/** Builds the web pages if their sources have changed. */
export async function buildWebPages() {
  const stamp = hashOf(sources.map(path => join(root, path)))
  const isBuilt = existsSync(join(root, 'packages/web/dist')) && existsSync(stampFile)
  if (isBuilt && readFileSync(stampFile, 'utf8') === stamp) return

  await step('Building the web pages', () =>
    run('npm', ['run', 'build', '-w', '@lectern/web'], { cwd: root }),
  )
  mkdirSync(localCache, { recursive: true })
  writeFileSync(stampFile, stamp)
}
