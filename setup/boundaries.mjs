/** Checks the import graph: the layers of import-layers.mjs, and cycles. Imports of types count, too. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { findCycles } from './import-cycles.mjs'
import * as currentLayers from './import-layers.mjs'
import { importsIn } from './imports.mjs'
import { root } from './paths.mjs'

/** The top folders that hold code. */
const codeFolders = ['packages', 'bench', 'e2e', 'examples', 'setup']

/** Tests, and what exists for tests alone, may import anything. @param {string} file */
const isForTests = file => /\.test\.tsx?$|(^|\/)testing(\.tsx?$|\/)/.test(file)

/**
 * @typedef {{ package: string, file: string, folder: string | null }} Module in the sources: "server",
 *   "accounts/stores/users.ts", "stores"; of packages other than the server, the top folder
 * @typedef {Module | { package?: string, file?: undefined, folder?: undefined }} Target of a package, if it is ours
 * @typedef {{ specifier: string, typesOnly: boolean, line: number }} Import
 * @typedef {Pick<typeof currentLayers, 'packages' | 'composition' | 'serverFolders' | 'storeUsers' | 'sealedFolders'
 *   | 'folderExceptions'>} Layers
 */

/**
 * Checks all sources of a checkout.
 *
 * @param {string} [checkout]
 * @param {Layers} [layers]
 * @returns {string[]} a line for each violation, and for each exception that is not needed any more
 */
export function findViolations(checkout = root, layers = currentLayers) {
  const imports = new Map(
    sourcesIn(checkout).map(path => [path, importsIn(readFileSync(join(checkout, path), 'utf8'))]),
  )
  const used = new Set()
  return [
    ...[...imports].flatMap(([path, found]) => layerViolations(path, found, layers, used)),
    ...cycleViolations(imports),
    ...layers.folderExceptions
      .filter(exception => !used.has(exception))
      .map(exception => `setup/import-layers.mjs: the exception for ${exception} is not needed any more`),
  ]
}

/**
 * @param {string} path
 * @param {Import[]} found
 * @param {Layers} layers
 * @param {Set<string>} used gets the exceptions that apply
 */
function layerViolations(path, found, layers, used) {
  const from = moduleOf(path)
  if (!from || isForTests(from.file)) return []
  return found.flatMap(({ line, ...each }) => {
    const rule = brokenRule(from, each, targetOf(path, each.specifier), layers, used)
    return rule ? [`${path}:${line} imports ${each.specifier}: ${rule}`] : []
  })
}

/**
 * @param {Module} from
 * @param {Omit<Import, 'line'>} found
 * @param {Target} target
 * @param {Layers} layers
 * @param {Set<string>} used
 * @returns {string | null}
 */
function brokenRule(from, { specifier, typesOnly }, target, layers, used) {
  if (target.package && target.package !== from.package) {
    const allowed = layers.packages[from.package]
    if (!allowed) return `${from.package} is missing in the table of packages`
    if (allowed.includes(target.package)) return null
    if (typesOnly && allowed.includes(`${target.package} (types)`)) return null
    return `of our packages, ${from.package} imports ${allowed.join(', ') || 'none'}`
  }
  if (from.package !== 'server') return null
  const sealed = from.folder !== null && layers.sealedFolders[from.folder]
  if (sealed && target.folder !== from.folder && !sealed.includes(specifier))
    return `${from.folder} imports only ${sealed.join(', ')} and its own files`
  return target.file === undefined ? null : brokenFolderRule(from, target, typesOnly, layers, used)
}

/**
 * @param {Module} from
 * @param {Pick<Module, 'file' | 'folder'>} target
 * @param {boolean} typesOnly
 * @param {Layers} layers
 * @param {Set<string>} used
 */
function brokenFolderRule(from, target, typesOnly, layers, used) {
  const { composition, serverFolders, storeUsers, folderExceptions } = layers
  const isComposition = (/** @type {Pick<Module, 'file' | 'folder'>} */ { file, folder }) =>
    composition.includes(folder ?? file)
  if (isComposition(from) || (from.folder && from.folder === target.folder)) return null
  if (isComposition(target)) return `${target.file} is imported only by ${composition.join(', ')}`
  if (!target.folder) return null
  const allowed = from.folder && serverFolders[from.folder]
  if (!allowed) return `${from.folder ?? from.file} is missing in the table of the server's layers`
  if (target.folder === 'platform' || !target.file.includes('/') || allowed.includes(target.folder))
    return null
  const isPort = typesOnly && target.file === `${target.folder}/ports.ts`
  if (isPort && allowed.includes(`${target.folder} (ports)`)) return null
  if (typesOnly && target.folder === 'stores' && from.folder && storeUsers.includes(from.folder)) return null
  const exception = `${from.folder ?? from.file} -> ${target.folder}`
  if (folderExceptions.includes(exception)) {
    used.add(exception)
    return null
  }
  return `${from.folder ?? from.file} imports ${allowed.join(', ') || 'no other folder'}`
}

/** @param {Map<string, Import[]>} imports */
function cycleViolations(imports) {
  const targets = (/** @type {string} */ path, /** @type {Import[]} */ found) =>
    found
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => resolveImport(path, specifier))
      .filter(target => imports.has(target))
  const graph = new Map([...imports].map(([path, found]) => [path, targets(path, found)]))
  return findCycles(graph).map(
    files => `${files.length} files import each other in a cycle:\n    ${files.join('\n    ')}`,
  )
}

/**
 * Where an import leads, if to a package of ours.
 *
 * @param {string} path the importing file
 * @param {string} specifier
 * @returns {Target}
 */
function targetOf(path, specifier) {
  const ours = specifier.match(/^@lectern\/([^/]+)/)
  if (ours) return { package: ours[1] }
  return (specifier.startsWith('.') && moduleOf(resolveImport(path, specifier))) || {}
}

/** The imported file's path from the checkout. @param {string} path @param {string} specifier */
const resolveImport = (path, specifier) =>
  join(dirname(path), path.endsWith('.mjs') ? specifier : specifier.replace(/\.js(x?)$/, '.ts$1'))

/**
 * @param {string} path from the checkout
 * @returns {Module | null} null outside of packages
 */
function moduleOf(path) {
  const [top, name, , ...inside] = path.split(sep)
  if (top !== 'packages') return null
  const file = inside.join('/')
  return {
    package: name,
    file,
    folder: name === 'server' ? layerOf(inside) : inside.length > 1 ? inside[0] : null,
  }
}

/** The server's layer of a file, or null for a file beside the folders. @param {string[]} path its parts, below src */
function layerOf(path) {
  const [feature, part] = path
  if (path.join('/') in currentLayers.serverFolders) return path.join('/')
  if (path.length > 2 && part === 'stores') return 'stores'
  if (path.length > 2 && part === 'routes' && currentLayers.featuresWithRoutes.includes(feature))
    return 'routes'
  if (path.length > 2 && `${feature}/${part}` in currentLayers.serverFolders) return `${feature}/${part}`
  return path.length > 1 ? feature : null
}

/** The paths of all sources, from the checkout. @param {string} checkout */
function sourcesIn(checkout) {
  return codeFolders
    .flatMap(top => codeFiles(resolve(checkout, top)))
    .map(path => relative(checkout, path))
    .sort()
}

/** @param {string} folder @returns {string[]} */
function codeFiles(folder) {
  if (!existsSync(folder) || ['node_modules', 'dist'].includes(basename(folder))) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return codeFiles(path)
    return /\.(tsx?|mjs)$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : []
  })
}

if (import.meta.filename === process.argv[1]) {
  const violations = findViolations()
  for (const violation of violations) console.error(violation)
  process.exitCode = violations.length > 0 ? 1 : 0
}
