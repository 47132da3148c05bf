import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, parse, resolve } from 'node:path'
import { debianRelease } from './debian-release.mjs'
import { root } from './paths.mjs'

/** Caches compiled programs across clones and npm installations. */
const machineCache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'lectern')

/** The path of something cached, whose name contains everything that it depends on. @param {string} name */
export const cacheFolder = name => join(machineCache, name)

/**
 * The cache path of a program compiled from an npm package. It contains everything that the program depends on,
 * including the Debian release, whose libraries it is linked to.
 *
 * @param {string} program the name of the file
 * @param {string} npmPackage its name, or the folder where it is
 * @param {...string} more further dependencies
 */
export function cachePathOf(program, npmPackage, ...more) {
  const manifest = resolve(root, 'node_modules', npmPackage, 'package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  const debian = debianRelease ? [`debian${debianRelease}`] : []
  const folder = [parse(program).name, version, process.platform, process.arch, ...debian, ...more].join('-')
  return join(machineCache, folder, program)
}

/**
 * Copies a program atomically.
 *
 * @param {string} from
 * @param {string} to
 */
export function copyAtomically(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  const temporary = `${to}.${process.pid}`
  copyFileSync(from, temporary)
  chmodSync(temporary, 0o755)
  renameSync(temporary, to)
}
