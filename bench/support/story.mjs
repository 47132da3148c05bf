import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

/**
 * Runs stories of `e2e/` as a benchmark, and exits like them.
 *
 * @param {string[]} args of vitest
 * @param {Record<string, string>} [env]
 */
export function runStories(args, env = {}) {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }
  const child = spawn(process.execPath, [vitest, 'run', ...args], options)
  child.once('exit', code => process.exit(code ?? 1))
}
