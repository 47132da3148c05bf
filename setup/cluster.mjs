/** `npm run cluster [-- --servers 3 --media-nodes 2 --recorders 2]`: prepares the checkout, then starts a cluster on this machine. */
import { join } from 'node:path'
import { root } from './paths.mjs'
import { explain, prepare } from './prepare.mjs'
import { runInPlace } from './run.mjs'

try {
  await prepare({ forCluster: true })
  runInPlace(process.execPath, [join(root, 'e2e/support/cluster/main.ts'), ...process.argv.slice(2)])
} catch (err) {
  explain(err)
  process.exitCode = 1
}
