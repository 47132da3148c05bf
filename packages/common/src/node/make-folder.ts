import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/**
 * Creates a folder that somebody has named, with its parents. Throws why it cannot. Node's recursive `mkdir` never ends where
 * a folder that exists takes no others, as /proc.
 */
export function makeFolder(path: string, mode = 0o700): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (!isFolder(path)) throw error // another process may have created it
  }
}
