import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { count, failures, merge, run, runVitest } from './vitest.mjs'

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

describe('the list of failures', () => {
  it('names each failed test and each file that does not load, with the beginning of the message', () => {
    const failed = {
      status: 'failed',
      fullName: 'a call rings',
      failureMessages: ['\u001b[31mExpected\u001b[39m 1'],
    }
    const testResults = [
      { ...file('/checkout/e2e/call.spec.ts', 'passed'), assertionResults: [{ status: 'passed' }, failed] },
      { ...file('/checkout/e2e/chat.spec.ts'), message: 'x'.repeat(2000) },
    ]
    const texts = failures({ testResults, succeeded: false, ...noErrors }, '/checkout')
    expect(texts[0]).toBe('e2e/call.spec.ts: a call rings\nExpected 1')
    expect(texts[1]).toMatch(/^e2e\/chat.spec.ts: the whole file\nx{600}$/)
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
    expect(count(merge(first, second, ['a']))).toEqual({ passed: 4, failed: 0 })
  })

  it('fails when it fails again', () => {
    const second = {
      testResults: [file('a', 'failed', 'passed'), file('a', 'passed')],
      succeeded: false,
      ...noErrors,
    }
    expect(count(merge(first, second, ['a']))).toEqual({ passed: 3, failed: 1 })
  })

  it('fails when the second run does not execute it', () => {
    expect(count(merge(first, { testResults: [], succeeded: false, ...noErrors }, ['a']))).toEqual({
      passed: 1,
      failed: 1,
    })
  })
})

describe('a run whose tests fail at first', () => {
  /** Tests that fail in the first of two runs. @param {string} body */
  const failsOnce = body =>
    `it('fails once', () => {
      const { existsSync, writeFileSync, appendFileSync } = process.getBuiltinModule('node:fs')
      ${body}
      const isSecond = existsSync('ran')
      writeFileSync('ran', '')
      expect(isSecond).toBe(true)
    })`

  /** @param {string} test @param {{ args?: string[], silenceMs?: number }} [options] */
  const runOnce = async (test, { args = [], ...options } = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-flakes-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'some.test.mjs'), test)
    writeFileSync(join(folder, 'then.test.mjs'), `it('passes', () => {})`)
    const seen = join(folder, 'seeds')
    const result = await runVitest(['--globals', ...args], {
      ...options,
      name: 'flakes',
      cwd: folder,
      stdio: 'ignore',
      output: join(folder, 'output'),
      seed: 7,
      env: { SEEN: seen },
    })
    const flakes = join(folder, 'output/flakes.jsonl')
    return {
      ...result,
      seeds: existsSync(seen) ? readFileSync(seen, 'utf8').trim().split('\n') : [],
      noted: existsSync(flakes)
        ? readFileSync(flakes, 'utf8')
            .trim()
            .split('\n')
            .map(line => JSON.parse(line))
        : [],
    }
  }

  it('runs the file once more, with the same seed, and notes it', async () => {
    const test = failsOnce(`appendFileSync(process.env.SEEN, process.env.LECTERN_SEED + '\\n')`)
    const { passed, failed, flakes, seeds, noted } = await runOnce(test)
    expect({ passed, failed, flakes }).toEqual({ passed: 2, failed: 0, flakes: ['some.test.mjs'] })
    expect(seeds).toHaveLength(2)
    expect(seeds[0]).toBe(seeds[1])
    expect(noted).toMatchObject([{ run: 'flakes', file: 'some.test.mjs', seed: seeds[0] }])
  })

  it('does not run a file with random choices again: a seed that fails is a failure', async () => {
    const test = failsOnce(
      `appendFileSync(process.env.LECTERN_RANDOMISED, expect.getState().testPath + '\\n')`,
    )
    expect(await runOnce(test)).toMatchObject({ passed: 1, failed: 1, flakes: [], noted: [] })
  })

  it('runs a file that hangs once more, with those that were not begun for it', async () => {
    const blocks = `isSecond || Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`
    const test = failsOnce('').replace('expect(isSecond)', `${blocks}\nexpect(isSecond)`)
    const args = ['--maxWorkers=1'] // the larger file is the first
    const { passed, failed, flakes, failures } = await runOnce(test, { args, silenceMs: 20_000 })
    expect({ passed, failed, flakes }).toEqual({ passed: 2, failed: 0, flakes: ['some.test.mjs'] })
    expect(failures?.[0]).toMatch(/^at first: some.test.mjs: the whole file\nIt hangs/)
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
      count(merge({ ...first, unhandledErrors }, second, ['a']))
    expect(counted(['a'])).toEqual({ passed: 2, failed: 0 })
    expect(counted(['a', 'b'])).toEqual({ passed: 2, failed: 1 })
    expect(counted([null])).toEqual({ passed: 2, failed: 1 })
  })
})
