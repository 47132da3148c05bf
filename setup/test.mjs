/** `npm test [-- arguments of vitest]`: prepares what tests need, then runs the checks and every test. */

import { runChecks } from './check.mjs'
import { explain, prepare } from './prepare.mjs'
import { runVitest } from './vitest.mjs'

const { passed, failed } = await testEverything(process.argv.slice(2))
process.exitCode = failed > 0 ? 1 : 0
console.log(`${passed} passed, ${failed} failed`) // the last line: machines read it

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
