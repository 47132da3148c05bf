import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from '../hash.mjs'
import { cacheFolder } from '../machine-cache.mjs'
import { root } from '../paths.mjs'
import { step } from '../progress.mjs'
import { run } from '../run.mjs'

/** A package.json and a lock file, which pins the contents. */
const manifest = join(root, 'deploy/debian/node')

/**
 * The Node.js that the Debian package brings, from the npm registry by way of this machine's cache.
 *
 * @returns {Promise<string>} a folder with bin/node and LICENSE
 */
export async function packagedNode() {
  const name = `node-${process.platform}-${process.arch}`
  const folder = cacheFolder(`${name}-${hashOf([manifest], manifest).slice(0, 12)}`)
  const found = join(folder, 'node_modules', name)
  if (!existsSync(found)) await step('Downloading the Node.js of the package', () => download(folder))
  return found
}

/** Atomically: an interrupted download is repeated. @param {string} folder */
async function download(folder) {
  const temporary = `${folder}.${process.pid}`
  mkdirSync(temporary, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(manifest, file), join(temporary, file))
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: temporary })
  rmSync(folder, { recursive: true, force: true })
  renameSync(temporary, folder)
}
