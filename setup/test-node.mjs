/** `npm run test:node -- VERSION [arguments of vitest]`: `npm test` on another version of Node, e.g. 24 or 22.12. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { localCache, root } from './paths.mjs'
import { explain } from './prepare.mjs'
import { step } from './progress.mjs'
import { run, SetupError } from './run.mjs'

const [version = '', ...args] = process.argv.slice(2)
try {
  const child = spawn(await install(version), [join(root, 'setup/test.mjs'), ...args], { stdio: 'inherit' })
  child.once('exit', code => {
    process.exitCode = code ?? 1
  })
} catch (err) {
  explain(err)
  process.exitCode = 1
}

/**
 * Puts Node beside the checkout, with the headers that native modules are compiled with: npm has both.
 *
 * @param {string} wanted
 * @returns {Promise<string>} the program
 */
async function install(wanted) {
  if (!/^\d+(\.\d+){0,2}$/.test(wanted)) throw new SetupError('Name a version of Node, e.g. 24.')
  const folder = join(localCache, `node-${wanted}`)
  const npmPackage = `node-${process.platform}-${process.arch}`
  const program = join(folder, 'node_modules', npmPackage, 'bin/node')
  if (!existsSync(program))
    await step(`Installing Node ${wanted}`, () =>
      run('npm', ['install', '--prefix', folder, '--no-save', `${npmPackage}@${wanted}`]),
    )
  return program
}
