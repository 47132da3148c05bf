import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { withThisNode } from './environment.mjs'
import { bin, root } from './paths.mjs'

/**
 * The fields of vitest's JSON report that are used.
 *
 * @typedef {{ name: string, status: string, assertionResults: { status: string }[] }} TestFile
 * @typedef {{ testResults: TestFile[], succeeded: boolean }} Report
 */

/** More failures than in so many files are no accident. */
const RUN_AGAIN_MAX = 5

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
  if (failedFiles(merged).length === 0) console.log(`\nFAILED AT FIRST, and passed when run again: ${names}`)
  return count(merged)
}

/**
 * @param {string[]} args
 * @returns {Promise<Report>}
 */
async function run(args) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'))
  const report = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const child = spawn(bin('vitest'), ['run', ...reporters, ...args], {
      cwd: root,
      env: withThisNode(),
      stdio: 'inherit',
    })
    const [code] = await once(child, 'close')
    return { ...readReport(report), succeeded: code === 0 }
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
  return { testResults: [...kept, ...second.testResults], succeeded: second.succeeded }
}

/**
 * @param {Report} report
 * @returns {string[]}
 */
function failedFiles({ testResults }) {
  return [...new Set(testResults.filter(({ status }) => status === 'failed').map(({ name }) => name))]
}

/**
 * A file that does not load counts as one failure. So does a run without any test, and a run that failed outside of
 * tests, e.g. by a crash.
 *
 * @param {Report} report
 */
export function count({ testResults, succeeded }) {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const passed = results.filter(({ status }) => status === 'passed').length
  const failed =
    results.filter(({ status }) => status === 'failed').length + testResults.filter(isBroken).length
  if (passed + failed === 0) console.error('No test was executed.')
  const failedSilently = failed === 0 && (!succeeded || passed === 0)
  return { passed, failed: failedSilently ? 1 : failed }
}

/** @param {TestFile} file */
const isBroken = ({ status, assertionResults }) =>
  status === 'failed' && assertionResults.every(test => test.status !== 'failed')

/**
 * @param {string} file
 * @returns {Pick<Report, 'testResults'>}
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { testResults: [] } // vitest exited before it wrote the report
  }
}
