/**
 * `node setup/launch.mjs PROGRAM [arguments]`: runs a program of the checkout on a supported Node, which npm provides if
 * the running one is not. Loaded by Node 18, too.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { localCache, root } from './paths.mjs'
import { isSupported, runOnPinnedNode } from './pinned-node.mjs'
import { explain } from './run.mjs'

// Compiled code is kept from one run to the next, also that of servers, commands and threads of tests.
process.env.NODE_COMPILE_CACHE ??= join(localCache, 'compiled')

const [program = '', ...args] = process.argv.slice(2)
const file = join(root, program)
if (isSupported()) {
  process.argv = [process.execPath, file, ...args]
  await import(pathToFileURL(file).href)
} else {
  await runOnPinnedNode([file, ...args]).catch(err => {
    explain(err)
    process.exitCode = 1
  })
}
