import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/**
 * The environment for programs of npm packages, which take the first `node` of PATH: it is the one that runs this, so
 * that what they compile fits.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {NodeJS.ProcessEnv}
 */
export function withThisNode(env = process.env) {
  const folders = (env.PATH ?? '').split(delimiter)
  const first = folders.map(folder => join(folder, 'node')).find(existsSync)
  if (first && realpathSync(first) === realpathSync(process.execPath)) return env
  return { ...env, PATH: [dirname(process.execPath), ...folders].join(delimiter) }
}
