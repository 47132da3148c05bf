import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Generated folders. */
const generated = new Set(['node_modules', 'dist'])

/**
 * One hash of the names and contents of the given files and folders. Missing paths count as empty.
 *
 * @param {string[]} paths
 * @param {string} [base] a folder that is removed from the names, so that the hash does not depend on its location
 */
export function hashOf(paths, base = '') {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesIn))
    hash.update(file.slice(base.length)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesIn(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter(name => !generated.has(name))
    .sort()
    .flatMap(name => filesIn(join(path, name)))
}
