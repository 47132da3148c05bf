/** `npm start [-- arguments of lectern quickstart]`: prepares the checkout, then starts Lectern. */
import { join } from 'node:path'
import { localCache, root } from './paths.mjs'
import { explain, prepare } from './prepare.mjs'
import { runInPlace } from './run.mjs'

try {
  await prepare()
  const lectern = join(root, 'packages/cli/bin/lectern.js')
  // Compiled code is kept from one start to the next, also that of the workers.
  const env = { NODE_COMPILE_CACHE: join(localCache, 'compiled') }
  runInPlace(process.execPath, [lectern, 'quickstart', ...process.argv.slice(2)], env)
} catch (err) {
  explain(err)
  process.exitCode = 1
}
