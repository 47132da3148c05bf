import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { count, merge, run } from './vitest.mjs'

const noErrors = { unhandledErrors: /** @type {(string | null)[]} */ ([]) }

/**
 * @param {string} name
 * @param {string[]} tests
 */
const file = (name, ...tests) => ({
  name,
  status: tests.includes('failed') || tests.length === 0 ? 'failed' : 'passed',
  assertionResults: tests.map(status => ({ status })),
})

describe('the count of tests', () => {
  it('counts tests, and a file that does not load as one failure', () => {
    const testResults = [file('a', 'passed', 'failed', 'skipped'), file('b', 'passed'), file('c')]
    expect(count({ testResults, succeeded: false, ...noErrors })).toEqual({ passed: 2, failed: 2 })
  })

  it('is never without a failure for a run that ended with an error, or without a test', () => {
    expect(count({ testResults: [file('a', 'passed')], succeeded: false, ...noErrors })).toEqual({
      passed: 1,
      failed: 1,
    })
    expect(count({ testResults: [], succeeded: true, ...noErrors })).toEqual({ passed: 0, failed: 1 })
  })
})

describe('a file that is run again', () => {
  const first = {
    testResults: [file('a', 'passed', 'failed'), file('a', 'passed'), file('b', 'passed')],
    succeeded: false,
    ...noErrors,
  }

  it('counts as its second run, in all projects', () => {
    const second = {
      testResults: [file('a', 'passed', 'passed'), file('a', 'passed')],
      succeeded: true,
      ...noErrors,
    }
    expect(count(merge(first, second))).toEqual({ passed: 4, failed: 0 })
  })

  it('fails when it fails again', () => {
    const second = {
      testResults: [file('a', 'failed', 'passed'), file('a', 'passed')],
      succeeded: false,
      ...noErrors,
    }
    expect(count(merge(first, second))).toEqual({ passed: 3, failed: 1 })
  })

  it('fails when the second run does not execute it', () => {
    expect(count(merge(first, { testResults: [], succeeded: false, ...noErrors }))).toEqual({
      passed: 1,
      failed: 1,
    })
  })
})

describe('errors outside of tests', () => {
  it('are reported with the file in which they occurred, and fail a run without a failed test', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-errors-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const failing = join(folder, 'failing.test.mjs')
    const passing = `it('passes', () => new Promise(done => setTimeout(done, 100)))`
    writeFileSync(failing, `${passing}\nvoid Promise.reject(new Error('expected in this test'))`)
    writeFileSync(join(folder, 'other.test.mjs'), passing)
    const report = await run(['--globals'], { cwd: folder, stdio: 'ignore' })
    expect(report).toMatchObject({ succeeded: false, unhandledErrors: [failing] })
    expect(count(report)).toEqual({ passed: 2, failed: 1 })
  })

  it('of the first run count, except in files that are run again', () => {
    const first = { testResults: [file('a', 'failed'), file('b', 'passed')], succeeded: false }
    const second = { testResults: [file('a', 'passed')], succeeded: true, ...noErrors }
    const counted = (/** @type {(string | null)[]} */ unhandledErrors) =>
      count(merge({ ...first, unhandledErrors }, second))
    expect(counted(['a'])).toEqual({ passed: 2, failed: 0 })
    expect(counted(['a', 'b'])).toEqual({ passed: 2, failed: 1 })
    expect(counted([null])).toEqual({ passed: 2, failed: 1 })
  })
})
