import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from '../hash.mjs'
import { root } from '../paths.mjs'
import { step } from '../progress.mjs'
import { run } from '../run.mjs'

const stampFile = join(root, 'node_modules', '.lectern-setup.json')

/** Installs the npm packages of package-lock.json, unless they are up to date. */
export async function installNpmPackages() {
  const stamp = JSON.stringify({
    lock: hashOf([join(root, 'package-lock.json')]),
    // Native modules depend on the Node ABI, the system and the architecture.
    node: `${process.platform}-${process.arch}-${process.versions.modules}`,
  })
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return

  // Not `npm ci`, which rejects a lock file from a registry without optional packages of other platforms.
  // With --no-save the locked versions are installed and the lock file stays unchanged.
  // Packages run no install scripts: the two that need a binary have their own steps (native-modules.mjs,
  // media-worker.mjs); all others ship binaries in registry packages.
  const args = ['install', '--no-save', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund']
  await step('Installing npm packages', () => run('npm', [...args, '--loglevel=warn'], { cwd: root }))
  writeFileSync(stampFile, stamp)
}
