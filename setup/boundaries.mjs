/** Who may import whom: between the packages, and between the rooms (the first folders) of the server. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { importsIn } from './imports.mjs'
import { root } from './paths.mjs'

/** For each package, the packages of ours that it may import. `(types)`: with `import type` only. */
const packages = {
  common: [],
  protocol: [],
  'control-client': ['common', 'protocol'],
  server: ['common', 'protocol'],
  'worker-kit': ['common', 'protocol', 'control-client'],
  recorder: ['common', 'protocol', 'worker-kit'],
  transcriber: ['common', 'protocol', 'worker-kit'],
  web: ['common', 'protocol', 'control-client'],
  cli: ['protocol', 'server', 'partner'],
  partner: ['protocol (types)'],
}

/** The places in the server that choose implementations: the service and the operator's commands. */
const composers = ['main.ts', 'load-integration.ts', 'load-records.ts', 'operator.ts']

/** Rooms of the server that import nothing but their own files and these packages. */
const sealedRooms = {
  sessions: ['@lectern/common', '@lectern/protocol'],
}

/** Rooms of the server that are imported by nothing but their own files and these. */
const hiddenRooms = {
  media: composers,
  db: composers,
  storage: composers,
  integration: [...composers, 'operator/service-accounts.ts', 'operator/webhooks.ts'],
}

/** Rooms that implement ports. They may import types from the ports.ts of any room. */
const implementers = ['media', 'db', 'storage']

/** Tests, and what is there for tests alone, may import anything. @param {string} file */
const isForTests = file => /\.test\.tsx?$|(^|\/)testing(\.tsx?$|\/)/.test(file)

/**
 * @typedef {{ package: string, file: string, room: string | null }} Place in the sources: "server", "db/rooms.ts", "db"
 * @typedef {{ specifier: string, typesOnly: boolean, package?: string, file?: string, room?: string | null }} Import
 */

/**
 * Checks all sources under packages/.
 *
 * @param {string} [folder] the checkout
 * @returns {string[]} a line for each import that breaks a rule
 */
export function findViolations(folder = root) {
  return sourcesIn(join(folder, 'packages')).flatMap(path => {
    const place = placeOf(folder, path)
    if (isForTests(place.file)) return []
    return importsIn(readFileSync(path, 'utf8')).flatMap(({ line, ...found }) => {
      const rule = brokenRule(place, { ...found, ...targetOf(folder, path, found.specifier) })
      return rule ? [`${relative(folder, path)}:${line} imports ${found.specifier}: ${rule}`] : []
    })
  })
}

/**
 * @param {Place} from
 * @param {Import} found
 * @returns {string | null | undefined}
 */
function brokenRule(from, found) {
  if (found.package && found.package !== from.package) return brokenPackageRule(from.package, found)
  if (from.package === 'server') return brokenSeal(from, found) ?? brokenHiding(from, found)
}

/**
 * @param {string} from
 * @param {Import} found
 */
function brokenPackageRule(from, { package: to, typesOnly }) {
  const allowed = packages[from]
  if (!allowed) return `${from} is not in the table of setup/boundaries.mjs yet`
  if (allowed.includes(to) || (typesOnly && allowed.includes(`${to} (types)`))) return null
  return `of our packages, ${from} imports ${allowed.join(', ') || 'none'}`
}

/**
 * @param {Place} from
 * @param {Import} found
 */
function brokenSeal({ room }, found) {
  const allowed = sealedRooms[room]
  if (!allowed || found.room === room || allowed.includes(found.specifier)) return null
  return `${room} imports only ${allowed.join(', ')} and its own files`
}

/**
 * @param {Place} from
 * @param {Import} found
 */
function brokenHiding(from, { room, file, typesOnly }) {
  const allowed = hiddenRooms[room]
  if (!allowed || from.room === room || allowed.includes(from.file)) return null
  if (typesOnly && implementers.includes(from.room) && file === `${room}/ports.ts`) return null
  return `${room} is imported only by ${allowed.join(', ')} and its own files`
}

/**
 * Where an import leads, if to a package of ours.
 *
 * @param {string} folder
 * @param {string} path the importing file
 * @param {string} specifier
 * @returns {Partial<Place>}
 */
function targetOf(folder, path, specifier) {
  const ours = specifier.match(/^@lectern\/([^/]+)/)
  if (ours) return { package: ours[1] }
  if (!specifier.startsWith('.')) return {}
  return placeOf(folder, resolve(dirname(path), specifier.replace(/\.js(x?)$/, '.ts$1')))
}

/**
 * @param {string} folder
 * @param {string} path
 * @returns {Place}
 */
function placeOf(folder, path) {
  const [name, , ...inside] = relative(join(folder, 'packages'), path).split(sep)
  return { package: name, file: inside.join('/'), room: inside.length > 1 ? inside[0] : null }
}

/** All .ts and .tsx files of all packages. @param {string} folder */
function sourcesIn(folder) {
  return readdirSync(folder)
    .map(name => join(folder, name, 'src'))
    .filter(source => existsSync(source))
    .flatMap(source => readdirSync(source, { recursive: true }).map(name => join(source, name)))
    .filter(path => /\.tsx?$/.test(path))
    .sort()
}

if (import.meta.filename === process.argv[1]) {
  const violations = findViolations()
  for (const violation of violations) console.error(violation)
  process.exitCode = violations.length > 0 ? 1 : 0
}
