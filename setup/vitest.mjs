import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withThisNode } from './environment.mjs'
import { bin, root } from './paths.mjs'

/**
 * The fields of vitest's JSON report that are used.
 *
 * @typedef {{ status: string, assertionResults: { status: string }[] }} TestFile
 * @typedef {{ numPassedTests: number, numFailedTests: number, testResults: TestFile[] }} Report
 */

/**
 * Runs the tests of all projects with console output, and counts them.
 *
 * @param {string[]} args
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runVitest(args) {
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
    return count(readReport(report), code === 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A file that does not load counts as one failure. So does a run without any test, and a run that failed outside of
 * tests, e.g. by a crash.
 *
 * @param {Report} report
 * @param {boolean} succeeded
 */
function count({ numPassedTests: passed, numFailedTests, testResults }, succeeded) {
  const failed = numFailedTests + testResults.filter(isBroken).length
  if (passed + failed === 0) console.error('No test was executed.')
  const failedSilently = failed === 0 && (!succeeded || passed === 0)
  return { passed, failed: failedSilently ? 1 : failed }
}

/** @param {TestFile} file */
const isBroken = ({ status, assertionResults }) =>
  status === 'failed' && assertionResults.every(test => test.status !== 'failed')

/**
 * @param {string} file
 * @returns {Report}
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] } // vitest exited before it wrote the report
  }
}
