// Loaded by Node 18, too.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './run.mjs'

/**
 * Installs packages of a folder's package-lock.json, and leaves the file as it is. Packages run no install scripts.
 *
 * npm reads the address of a package without one from the registry's description of all its versions, which takes half of the
 * CPU time of an installation. So npm gets the addresses in another lock file, which it prefers, and only without
 * success installs without them.
 *
 * @param {string} folder
 * @param {string[]} [options] of npm install
 */
export async function installLocked(folder, options = []) {
  const lock = join(folder, 'npm-shrinkwrap.json')
  // Not `npm ci`, which rejects a lock file from a registry without optional packages of other platforms.
  const args = [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=warn',
    ...options,
  ]
  const install = () => npm(args, { cwd: folder })
  try {
    writeFileSync(lock, await withAddresses(join(folder, 'package-lock.json')))
    await install()
  } catch {
    rmSync(lock, { force: true })
    await install()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** @param {string} lockFile */
async function withAddresses(lockFile) {
  const output = await npm(['config', 'get', 'registry'])
  const registry = output
    .match(/^https?:.*$/m)?.[0]
    .trim()
    .replace(/\/*$/, '')
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'))
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (entry.link || !path.includes('node_modules/')) continue
    const name = entry.name ?? path.split('node_modules/').at(-1)
    entry.resolved = `${registry}/${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`
  }
  return JSON.stringify(lock)
}
