import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, parse } from 'node:path'
import { debianRelease } from './debian-release.mjs'
import { root } from './paths.mjs'

/** What takes minutes to compile is kept here: it outlives fresh clones and new installations of npm packages. */
const machineCache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'lectern')

/**
 * The place in the cache for a program compiled from an npm package. It is named for all that the program depends
 * on; on Debian that is also the release, whose libraries it is linked to.
 *
 * @param {string} program the name of the file
 * @param {string} npmPackage
 * @param {...string} more what else it depends on
 */
export function placeInCache(program, npmPackage, ...more) {
  const manifest = join(root, 'node_modules', npmPackage, 'package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  const debian = debianRelease ? [`debian${debianRelease}`] : []
  const folder = [parse(program).name, version, process.platform, process.arch, ...debian, ...more].join('-')
  return join(machineCache, folder, program)
}

/**
 * Copies a program so that nobody ever finds half of it.
 *
 * @param {string} from
 * @param {string} to
 */
export function copyWhole(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  const unfinished = `${to}.${process.pid}`
  copyFileSync(from, unfinished)
  chmodSync(unfinished, 0o755)
  renameSync(unfinished, to)
}
