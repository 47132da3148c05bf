import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withThisNode } from './environment.mjs'
import { bin, root } from './paths.mjs'

/**
 * The fields of vitest's JSON report that are used; `unhandledErrors`: the file of each error outside of tests, if known.
 *
 * @typedef {{ name: string, status: string, assertionResults: { status: string }[] }} TestFile
 * @typedef {{ testResults: TestFile[], succeeded: boolean, unhandledErrors: (string | null)[] }} Report
 */

/** Failures in more files than that are no accident. */
const RUN_AGAIN_MAX = 5

const errorReporter = fileURLToPath(new URL('unhandled-errors.mjs', import.meta.url))

/**
 * Runs the tests of all projects with console output, and counts them. In a run of everything, files that failed are run
 * once more when they are few: the second run counts, and says which they were (decision 80).
 *
 * @param {string[]} args
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runVitest(args) {
  const first = await run(args)
  const failed = failedFiles(first)
  if (args.length > 0 || failed.length === 0 || failed.length > RUN_AGAIN_MAX) return count(first)
  const names = failed.map(name => relative(root, name)).join(', ')
  console.log(`\nOnce more: ${names}\n`)
  const merged = merge(first, await run(failed))
  const counted = count(merged)
  if (counted.failed === 0) console.log(`\nFAILED AT FIRST, and passed when run again: ${names}`)
  if (merged.unhandledErrors.length > 0) console.log('\nErrors occurred outside of tests: the run fails.')
  return counted
}

/**
 * @param {string[]} args
 * @param {{ cwd?: string, stdio?: 'inherit' | 'ignore' }} options
 * @returns {Promise<Report>}
 */
export async function run(args, { cwd = root, stdio = 'inherit' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'))
  const [report, errors] = [join(folder, 'report.json'), join(folder, 'errors.json')]
  try {
    const reporters = ['default', 'json', errorReporter].map(name => `--reporter=${name}`)
    const child = spawn(bin('vitest'), ['run', ...reporters, `--outputFile.json=${report}`, ...args], {
      cwd,
      env: { ...withThisNode(), LECTERN_UNHANDLED_ERRORS: errors },
      stdio,
    })
    const [code] = await once(child, 'close')
    const { testResults } = readJson(report) ?? { testResults: [] }
    return { testResults, succeeded: code === 0, unhandledErrors: readJson(errors) ?? [] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The first report, with the files of the second one in place of theirs.
 *
 * @param {Report} first
 * @param {Report} second
 * @returns {Report}
 */
export function merge(first, second) {
  const repeated = new Set(failedFiles(first))
  const kept = first.testResults.filter(({ name }) => !repeated.has(name))
  const errors = first.unhandledErrors.filter(file => file === null || !repeated.has(file))
  return {
    testResults: [...kept, ...second.testResults],
    succeeded: second.succeeded,
    unhandledErrors: [...errors, ...second.unhandledErrors],
  }
}

/**
 * @param {Report} report
 * @returns {string[]}
 */
function failedFiles({ testResults }) {
  return [...new Set(testResults.filter(({ status }) => status === 'failed').map(({ name }) => name))]
}

/**
 * A file that does not load counts as one failure. So do all errors outside of tests together, a run without any test, and
 * a run that failed otherwise, e.g. by a crash.
 *
 * @param {Report} report
 */
export function count({ testResults, succeeded, unhandledErrors }) {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const passed = results.filter(({ status }) => status === 'passed').length
  const failed =
    results.filter(({ status }) => status === 'failed').length +
    testResults.filter(isBroken).length +
    (unhandledErrors.length > 0 ? 1 : 0)
  if (passed + failed === 0) console.error('No test was executed.')
  const failedSilently = failed === 0 && (!succeeded || passed === 0)
  return { passed, failed: failedSilently ? 1 : failed }
}

/** @param {TestFile} file */
const isBroken = ({ status, assertionResults }) =>
  status === 'failed' && assertionResults.every(test => test.status !== 'failed')

/**
 * Null if vitest exited before it wrote the file.
 *
 * @param {string} file
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
