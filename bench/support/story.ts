import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

/** Runs stories of `e2e/` as a benchmark, and exits like them. The arguments are those of vitest. */
export function runStories(args: string[], env: Record<string, string> = {}): void {
  const child = spawn(process.execPath, [vitest, 'run', ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  child.once('exit', code => process.exit(code ?? 1))
}
