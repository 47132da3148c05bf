import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { withThisNode } from './environment.mjs'
import { bin, localCache, root } from './paths.mjs'

/**
 * What setup/results.mjs has noted of a run. `unhandledErrors`: the file of each error outside of tests, if known; `isEnded`:
 * it has reached its deadline; `notBegun`: the files that it has left out because another one hung.
 *
 * @typedef {{ status: string, fullName?: string, failureMessages?: string[] }} TestResult
 * @typedef {{ name: string, status: string, message?: string, assertionResults: TestResult[] }} TestFile
 * @typedef {{ testResults: TestFile[], succeeded: boolean, unhandledErrors: (string | null)[], isEnded?: boolean,
 *   notBegun?: string[] }} Report
 */

/** More files than that that fail at first and pass again are no accident. */
export const FLAKES_MAX = 2

/** The CPU time of each file, and the files that failed at first. */
const defaultOutput = join(localCache, 'test-run')

const reporters = ['results.mjs', 'cpu-time.mjs'].map(name => fileURLToPath(new URL(name, import.meta.url)))

/** No test and no hook of the configuration may take as long (10 minutes): a run that is silent for it hangs. */
const SILENCE_MS = 12 * 60_000
const WATCH_MS = 1_000

const ENDED_BY = {
  deadline: 'it has reached its deadline.',
  silence: 'no test and no hook has ended for a long time.',
}

/**
 * Runs tests with console output, and counts them. A few files that failed are run once more, with the same seed: the second
 * run counts, and the file is noted as a flake (decision 80). So are files that hang, with those that were not begun for it.
 * Files with random choices are not run again: a seed that fails is a failure.
 *
 * @typedef {{ cwd?: string, stdio?: 'inherit' | 'ignore', env?: NodeJS.ProcessEnv, deadline?: number, silenceMs?: number }}
 *   RunOptions deadline: a time of `performance.now()` at which the run is ended; silenceMs: how long no test may end
 * @param {string[]} args of vitest
 * @param {RunOptions & { name: string, repeats?: boolean, seed?: number, output?: string }} options name: of the run, in the names of
 *   files that it leaves in `output`; repeats: whether failed files are run once more; seed: of random choices, the same for
 *   both runs; without one, tests have seeds of their own
 * @returns {Promise<import('./conclusion.mjs').Result & { isComplete: boolean }>}
 */
export async function runVitest(args, { name, repeats = true, seed, output = defaultOutput, ...options }) {
  const { cwd = root } = options
  mkdirSync(output, { recursive: true })
  const LECTERN_RANDOMISED = join(output, `${name}-randomised.txt`)
  rmSync(LECTERN_RANDOMISED, { force: true })
  const LECTERN_SEED = process.env.LECTERN_SEED ?? seed?.toString()
  const env = { ...options.env, LECTERN_RANDOMISED, ...(LECTERN_SEED && { LECTERN_SEED }) }
  const LECTERN_CPU_TIME = join(output, `${name}-cpu-time.json`)
  const first = await run(args, { ...options, env: { ...env, LECTERN_CPU_TIME } })
  const failed = failedFiles(first)
  if (failed.length > 0 && LECTERN_SEED)
    console.log(`\nLECTERN_SEED=${LECTERN_SEED} repeats the random choices of this run.`)
  const repeated = failed.filter(file => !hasRandomChoices(file, LECTERN_RANDOMISED))
  const areFew = repeated.length > 0 && failed.length <= FLAKES_MAX
  const names = (/** @type {string[]} */ files) => files.map(file => relative(cwd, file))
  if (!repeats || !areFew || first.isEnded)
    return { ...count(first), flakes: [], failures: failures(first, cwd), isComplete: !first.isEnded }

  const rest = [...repeated, ...(first.notBegun ?? [])]
  console.log(`\nOnce more: ${names(rest).join(', ')}\n`)
  const flags = args.filter(arg => arg.startsWith('--'))
  const second = await run([...flags, ...rest], { ...options, env })
  const merged = merge(first, second, rest)
  const flakes = names(repeated.filter(file => !failedFiles(second).includes(file)))
  for (const file of flakes) noteFlake(output, { run: name, file, seed: LECTERN_SEED ?? null })
  if (merged.unhandledErrors.length > 0) console.log('\nErrors occurred outside of tests: the run fails.')
  const texts = [...failures(merged, cwd), ...failures(first, cwd).map(text => `at first: ${text}`)]
  return { ...count(merged), flakes, failures: texts, isComplete: !second.isEnded }
}

const MESSAGE_MAX_LENGTH = 600

/**
 * A text for each failed test and each file that does not load, with the beginning of the message.
 *
 * @param {Report} report
 * @param {string} cwd
 */
export const failures = ({ testResults }, cwd) =>
  testResults.flatMap(file => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    const all = isBroken(file)
      ? [{ fullName: 'the whole file', failureMessages: [file.message ?? ''] }]
      : failed
    return all.map(({ fullName, failureMessages = [] }) => {
      const message = stripVTControlCharacters(failureMessages.join('\n')).slice(0, MESSAGE_MAX_LENGTH)
      return `${relative(cwd, file.name)}: ${fullName}\n${message}`
    })
  })

/** Whether a test of the file has used the seed (packages/common/src/testing/seeds.ts). @param {string} file @param {string} list */
const hasRandomChoices = (file, list) =>
  existsSync(list) && readFileSync(list, 'utf8').split('\n').includes(file)

/** @param {string} output @param {object} flake */
const noteFlake = (output, flake) =>
  appendFileSync(
    join(output, 'flakes.jsonl'),
    `${JSON.stringify({ at: new Date().toISOString(), ...flake })}\n`,
  )

/**
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Report>}
 */
export async function run(
  args,
  {
    cwd = root,
    stdio = 'inherit',
    env = {},
    deadline = Number.POSITIVE_INFINITY,
    silenceMs = SILENCE_MS,
  } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'))
  const results = join(folder, 'results.jsonl')
  writeFileSync(results, '')
  try {
    const names = ['default', ...reporters].map(name => `--reporter=${name}`)
    const child = spawn(bin('vitest'), ['run', ...names, ...args], {
      cwd,
      env: { ...withThisNode(), LECTERN_RESULTS: results, ...env },
      stdio,
      detached: true, // a process group, which ends with all workers
    })
    const kill = () => process.kill(-Number(child.pid), 'SIGKILL') // servers and browsers notice it
    const stop = (/** @type {NodeJS.Signals} */ signal) => {
      kill()
      process.exit(128 + constants.signals[signal])
    }
    /** @type {'deadline' | 'silence' | null} */
    let endedBy = null
    const hasFallenSilent = silence(results, silenceMs)
    const watch = setInterval(() => {
      endedBy = performance.now() > deadline ? 'deadline' : hasFallenSilent() ? 'silence' : null
      if (!endedBy) return
      clearInterval(watch)
      console.log(`\nThe run is ended: ${ENDED_BY[endedBy]}`)
      kill()
    }, WATCH_MS)
    child.once('exit', () => clearInterval(watch))
    process.on('SIGINT', stop).on('SIGTERM', stop)
    const [code] = await once(child, 'close')
    process.off('SIGINT', stop).off('SIGTERM', stop)
    const report = reportOf(readFileSync(results, 'utf8'), endedBy === 'silence')
    return { ...report, succeeded: code === 0, isEnded: endedBy === 'deadline' }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The first report, with the repeated files as they are in the second one.
 *
 * @param {Report} first
 * @param {Report} second
 * @param {string[]} files
 * @returns {Report}
 */
export function merge(first, second, files) {
  const repeated = new Set(files)
  const kept = first.testResults.filter(({ name }) => !repeated.has(name))
  const errors = first.unhandledErrors.filter(file => file === null || !repeated.has(file))
  return {
    testResults: [...kept, ...second.testResults],
    succeeded: second.succeeded && failedFiles(first).every(file => repeated.has(file)),
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
 * What is known of a run from its notes, also of one that was ended. Of one that was silent, files without an end are those
 * that hang.
 *
 * @param {string} notes
 * @param {boolean} isSilent
 */
function reportOf(notes, isSilent) {
  /** @type {Partial<Record<'planned' | 'begun' | 'ended' | 'unhandledErrors', any>>[]} */
  const all = notes
    .split('\n')
    .slice(0, -1) // what was being written has no end
    .map(line => JSON.parse(line))
  /** @type {TestFile[]} */
  const ended = all.flatMap(note => note.ended ?? [])
  const begun = all.flatMap(note => note.begun ?? [])
  const planned = all.flatMap(note => note.planned ?? [])
  const names = ended.map(({ name }) => name)
  const hanging = isSilent ? without(begun, names) : []
  const message = `It hangs: ${ENDED_BY.silence}`
  return {
    testResults: [
      ...ended,
      ...hanging.map(name => ({ name, status: 'failed', message, assertionResults: [] })),
    ],
    unhandledErrors: all.flatMap(note => note.unhandledErrors ?? []),
    notBegun: isSilent ? [...new Set(without(planned, begun))] : [],
  }
}

/**
 * Whether nothing was added to a file for so long, by a clock that nobody sets.
 *
 * @param {string} file
 * @param {number} silenceMs
 */
function silence(file, silenceMs) {
  let [size, atMs] = [0, performance.now()]
  return () => {
    const now = statSync(file).size
    if (now !== size) [size, atMs] = [now, performance.now()]
    return performance.now() - atMs > silenceMs
  }
}

/**
 * What remains when each of the others is taken away once: a file is begun and ended once in each project.
 *
 * @param {string[]} all
 * @param {string[]} others
 */
function without(all, others) {
  const rest = [...all]
  for (const other of others) {
    const index = rest.indexOf(other)
    if (index >= 0) rest.splice(index, 1)
  }
  return rest
}
