/** `npm start [-- arguments of lectern quickstart]`: prepares the checkout, then starts Lectern. */
import { join } from 'node:path'
import { root } from './paths.mjs'
import { explain, prepare } from './prepare.mjs'
import { runInPlace } from './run.mjs'

try {
  await prepare()
  const lectern = join(root, 'packages/cli/bin/lectern.js')
  runInPlace(process.execPath, [lectern, 'quickstart', ...process.argv.slice(2)])
} catch (err) {
  explain(err)
  process.exitCode = 1
}
