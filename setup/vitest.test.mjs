import { describe, expect, it } from 'vitest'
import { count, merge } from './vitest.mjs'

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
    expect(count({ testResults, succeeded: false })).toEqual({ passed: 2, failed: 2 })
  })

  it('is never without a failure for a run that ended with an error, or without a test', () => {
    expect(count({ testResults: [file('a', 'passed')], succeeded: false })).toEqual({ passed: 1, failed: 1 })
    expect(count({ testResults: [], succeeded: true })).toEqual({ passed: 0, failed: 1 })
  })
})

describe('a file that is run again', () => {
  const first = {
    testResults: [file('a', 'passed', 'failed'), file('a', 'passed'), file('b', 'passed')],
    succeeded: false,
  }

  it('counts as its second run, in all projects', () => {
    const second = { testResults: [file('a', 'passed', 'passed'), file('a', 'passed')], succeeded: true }
    expect(count(merge(first, second))).toEqual({ passed: 4, failed: 0 })
  })

  it('fails when it fails again', () => {
    const second = { testResults: [file('a', 'failed', 'passed'), file('a', 'passed')], succeeded: false }
    expect(count(merge(first, second))).toEqual({ passed: 3, failed: 1 })
  })

  it('fails when the second run does not execute it', () => {
    expect(count(merge(first, { testResults: [], succeeded: false }))).toEqual({ passed: 1, failed: 1 })
  })
})
