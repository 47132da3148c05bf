/** `npm test [-- arguments of vitest]`: prepares the checkout, then runs all checks and tests. */

import { runChecks } from './check.mjs'
import { explain, prepare } from './prepare.mjs'
import { runVitest } from './vitest.mjs'

const { passed, failed } = await testEverything(process.argv.slice(2))
process.exitCode = failed > 0 ? 1 : 0
console.log(`${passed} passed, ${failed} failed`) // the last line is parsed by programs

/**
 * @param {string[]} args
 * @returns {Promise<{ passed: number, failed: number }>}
 */
async function testEverything(args) {
  try {
    await prepare({ forTests: true })
  } catch (err) {
    explain(err)
    return { passed: 0, failed: 1 }
  }
  const checks = await runChecks()
  const tests = await runVitest(args)
  return { passed: checks.passed + tests.passed, failed: checks.failed + tests.failed }
}
