// Loaded by Node 18, too.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { hashOf } from './hash.mjs'
import { installLocked } from './locked-packages.mjs'
import { cacheFolder } from './machine-cache.mjs'
import { root } from './paths.mjs'
import { step } from './progress.mjs'
import { runInPlace, SetupError } from './run.mjs'

/** A package.json and a lock file, which pins the contents. */
const manifest = join(root, 'setup/node')

const npmPackage = `node-${process.platform}-${process.arch}`

/** Undefined where npm has no such build. @type {string | undefined} */
const pinnedVersion = JSON.parse(readFileSync(join(manifest, 'package.json'), 'utf8')).optionalDependencies[
  npmPackage
]

/** Whether Lectern is tested on a version of Node, which must have `shouldUpgradeCallback` (rule W16). */
export function isSupported(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  return (major === 24 && minor >= 9) || (major === 22 && minor >= 21)
}

/**
 * The pinned Node.js, from the npm registry by way of this machine's cache.
 *
 * @returns {Promise<string>} a folder with bin/node and LICENSE
 */
export async function pinnedNode() {
  if (!pinnedVersion) {
    throw new SetupError(
      `Lectern runs on Node 24 from 24.9 on, and on 22 from 22.21 on; this is ${process.versions.node}. Install Node 24.`,
    )
  }
  const folder = cacheFolder(`${npmPackage}-${hashOf([manifest], manifest).slice(0, 12)}`)
  const found = join(folder, 'node_modules', npmPackage)
  if (!existsSync(found)) await step(`Downloading Node ${pinnedVersion}`, () => download(folder))
  return found
}

/** Atomically: an interrupted download is repeated. @param {string} folder */
async function download(folder) {
  const temporary = `${folder}.${process.pid}`
  mkdirSync(temporary, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(manifest, file), join(temporary, file))
  await installLocked(temporary)
  rmSync(folder, { recursive: true, force: true })
  renameSync(temporary, folder)
}

/**
 * Runs a program on the pinned Node in place of this process. All that it starts uses that Node, too.
 *
 * @param {string[]} args the program and its arguments
 * @param {{ isQuiet?: boolean }} [options]
 */
export async function runOnPinnedNode(args, { isQuiet = false } = {}) {
  if (!isQuiet && pinnedVersion)
    console.log(`Node ${process.versions.node} found; Lectern runs on Node ${pinnedVersion} from npm.`)
  const node = join(await pinnedNode(), 'bin/node')
  runInPlace(node, args, { PATH: [dirname(node), process.env.PATH].join(delimiter) })
}
