import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folders that are made from the others. */
const made = new Set(['node_modules', 'dist'])

/**
 * One hash of the names and contents of all files in these files and folders. What does not exist counts as empty.
 *
 * @param {string[]} paths
 * @param {string} [base] their folder, where the hash must be the same wherever that folder is
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
    .filter(name => !made.has(name))
    .sort()
    .flatMap(name => filesIn(join(path, name)))
}
