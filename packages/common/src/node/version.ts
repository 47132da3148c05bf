/// <reference types="node" />
import { createRequire } from 'node:module'

/**
 * The version of the program that a module belongs to. The module is in the folder `src` or `dist` of its package, also in
 * a bundle. A build has the version of its sources (setup/version.mjs); without one it is the version of the package.
 */
export function versionOf(module: string): string {
  const require = createRequire(module)
  for (const file of ['../dist/version.json', '../package.json']) {
    try {
      return (require(file) as { version: string }).version
    } catch {}
  }
  return 'unknown'
}
