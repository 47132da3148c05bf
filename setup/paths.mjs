import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/** Generated files of this checkout: lock, stamps. Ignored by git. */
export const localCache = join(root, '.cache')

/** @param {string} name a command of an npm package, such as "tsc" */
export const bin = name => join(root, 'node_modules', '.bin', name)
