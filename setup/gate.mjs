import { runChecks } from './check.mjs'
import { sum } from './conclusion.mjs'
import { runVitest } from './vitest.mjs'

/**
 * Runs the checks, and all tests but the endurance suite, or those that the arguments name.
 *
 * @param {string[]} [args] of vitest
 * @param {{ deadline?: number }} [options] deadline: a time of `performance.now()` after which it fails
 */
export async function runGate(args = [], { deadline } = {}) {
  const checks = await runChecks()
  const isWhole = args.length === 0
  const tests = await runVitest(isWhole ? ['--project=!endurance*'] : args, {
    name: 'gate',
    repeats: isWhole,
    deadline,
  })
  return sum([checks, tests])
}
