import { explain, prepare } from './prepare.mjs'
import { FLAKES_MAX } from './vitest.mjs'

const FAILURES_PRINTED = 20

/**
 * What tests have shown. `flakes`: files that failed at first and passed when run again; `failures`: a text for each failed
 * test, also of those that failed only at first.
 *
 * @typedef {{ passed: number, failed: number, flakes: string[], failures?: string[] }} Result
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
  failures: results.flatMap(({ failures = [] }) => failures),
})

/**
 * Prints the last lines of a run, and sets the exit code. Many flakes are a failure. Failures are repeated here: of a long
 * run, often only the end is kept.
 *
 * @param {Result} result
 */
export function concludeWith({ passed, failed, flakes, failures = [] }) {
  for (const failure of failures.slice(0, FAILURES_PRINTED)) console.log(`\nFAILED ${failure}`)
  if (flakes.length > 0)
    console.log(`\n${flakes.length} FAILED AT FIRST, and passed when run again: ${flakes.join(', ')}`)
  const areTooMany = flakes.length > FLAKES_MAX
  if (areTooMany) console.log(`More than ${FLAKES_MAX} are no accident: the run fails.`)
  const total = failed + (areTooMany ? 1 : 0)
  process.exitCode = total > 0 ? 1 : 0
  console.log(`${passed} passed, ${total} failed`) // the last line is parsed by programs
}
