import { join, resolve } from 'node:path'

/** The folder of the whole checkout. */
export const root = resolve(import.meta.dirname, '..')

/** What belongs to this checkout and can be made again: lock, stamps. Ignored by git. */
export const localCache = join(root, '.cache')

/** @param {string} name a command that an npm package brings, such as "tsc" */
export const bin = name => join(root, 'node_modules', '.bin', name)
