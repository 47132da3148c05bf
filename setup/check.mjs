/** `npm run check`: runs the static checks. Prints one line each, and the output of failed checks. */
import { join } from 'node:path'
import { bin, root } from './paths.mjs'
import { inSeconds, stopwatch } from './progress.mjs'
import { run } from './run.mjs'
import { installNpmPackages } from './steps/npm-packages.mjs'

const checks = [
  { name: 'types', command: [bin('tsc'), '-b', '--checkers', '1', '--builders', '2'] },
  { name: 'lint and format', command: [bin('biome'), 'check', '--error-on-warnings'] },
  { name: 'unused code', command: [bin('knip'), '--no-progress'] },
  { name: 'import boundaries', command: [process.execPath, join(root, 'setup/boundaries.mjs')] },
]

/**
 * Runs all checks, even after a failure.
 *
 * @returns {Promise<import('./conclusion.mjs').Result>}
 */
export async function runChecks() {
  const failures = []
  for (const check of checks) if (!(await runCheck(check))) failures.push(`check: ${check.name}`)
  return { passed: checks.length - failures.length, failed: failures.length, flakes: [], failures }
}

/** @param {{ name: string, command: string[] }} check */
async function runCheck({ name, command: [program, ...args] }) {
  const seconds = stopwatch()
  try {
    await run(program, args, { cwd: root })
    console.log(`✓ ${name} (${inSeconds(seconds())})`)
    return true
  } catch (err) {
    console.log(`✗ ${name} (${inSeconds(seconds())})\n${err.output ?? err.message}`)
    return false
  }
}

if (import.meta.filename === process.argv[1]) {
  await installNpmPackages({ all: true })
  const { failed } = await runChecks()
  process.exitCode = failed > 0 ? 1 : 0
}
