/** `npm run test:node -- VERSION [arguments of vitest]`: `npm test` on another version of Node, e.g. 22. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { localCache, root } from './paths.mjs'
import { step } from './progress.mjs'
import { explain, npm, runInPlace, SetupError } from './run.mjs'

const [version = '', ...args] = process.argv.slice(2)
try {
  runInPlace(await install(version), [join(root, 'setup/test.mjs'), ...args])
} catch (err) {
  explain(err)
  process.exitCode = 1
}

/**
 * Puts Node beside the checkout.
 *
 * @param {string} wanted
 * @returns {Promise<string>} the program
 */
async function install(wanted) {
  if (!/^\d+(\.\d+){0,2}$/.test(wanted)) throw new SetupError('Name a version of Node, e.g. 22.')
  const folder = join(localCache, `node-${wanted}`)
  const npmPackage = `node-${process.platform}-${process.arch}`
  const program = join(folder, 'node_modules', npmPackage, 'bin/node')
  if (!existsSync(program))
    await step(`Installing Node ${wanted}`, () =>
      npm(['install', '--prefix', folder, '--no-save', `${npmPackage}@${wanted}`]),
    )
  return program
}
