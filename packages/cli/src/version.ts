import { createRequire } from 'node:module'

/** Of this package. In the folder of the entry point, so that the path holds in the bundle, too. */
export const { version } = createRequire(import.meta.url)('../package.json') as { version: string }
