import { explain, prepare } from './prepare.mjs'
import { FLAKES_MAX } from './vitest.mjs'

/**
 * What tests have shown. `flakes`: files that failed at first and passed when run again.
 *
 * @typedef {{ passed: number, failed: number, flakes: string[] }} Result
 */

/** Null, or the result of a failed preparation. @returns {Promise<Result | null>} */
export async function prepareForTests() {
  try {
    await prepare({ forTests: true })
    return null
  } catch (err) {
    explain(err)
    return { passed: 0, failed: 1, flakes: [] }
  }
}

/** @param {Result[]} results @returns {Result} */
export const sum = results => ({
  passed: results.reduce((total, { passed }) => total + passed, 0),
  failed: results.reduce((total, { failed }) => total + failed, 0),
  flakes: results.flatMap(({ flakes }) => flakes),
})

/** Prints the last lines of a run, and sets the exit code. Many flakes are a failure. @param {Result} result */
export function concludeWith({ passed, failed, flakes }) {
  if (flakes.length > 0)
    console.log(`\n${flakes.length} FAILED AT FIRST, and passed when run again: ${flakes.join(', ')}`)
  const areTooMany = flakes.length > FLAKES_MAX
  if (areTooMany) console.log(`More than ${FLAKES_MAX} are no accident: the run fails.`)
  const failures = failed + (areTooMany ? 1 : 0)
  process.exitCode = failures > 0 ? 1 : 0
  console.log(`${passed} passed, ${failures} failed`) // the last line is parsed by programs
}
