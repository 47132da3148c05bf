import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SAMPLE_MS = 2_000
const PRINTED_FILES = 20
/** The unit of times in /proc (proc(5)): USER_HZ is 100 on every Linux of today. */
const TICKS_PER_SECOND = 100
/** Tests of components run beside the unit tests: what vitest itself uses for them cannot be told apart. */
const ofVitest = (/** @type {string} */ project) =>
  `(vitest, ${/^(unit|components)/.test(project) ? 'unit and components' : project})`
/** How processes that threads start know their file. */
const TEST_FILE = 'CPU_TIME_OF='

/**
 * A reporter of vitest: sums the CPU time of each test file, with all processes that it started, from /proc, and counts the
 * pages, browsers and servers that were opened. It prints the dearest files, and writes all of them as JSON to the file that
 * LECTERN_CPU_TIME names.
 *
 * Time of the vitest process itself counts for the project that is running, but for what its threads note for each file. So
 * does the time of processes that its threads started and that ended before they were seen, under a name of its own.
 */
export default class CpuTime {
  #folder = mkdtempSync(join(tmpdir(), 'lectern-cpu-'))
  /** @type {Map<string, number>} seconds by file or project */
  #seconds = new Map()
  /** @type {Map<number, Sample>} by process */
  #last = new Map()
  /** @type {Map<string, string | null>} files of processes that threads started, by process and its start */
  #noted = new Map()
  #project = ''
  /** @type {NodeJS.Timeout | undefined} */
  #timer
  #startedAt = performance.now()

  onInit() {
    process.env.LECTERN_CPU_FOLDER = this.#folder
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS)
  }

  /** @param {{ project: { name: string } }} module */
  onTestModuleStart({ project }) {
    this.#project = project.name
  }

  onTestRunEnd() {
    clearInterval(this.#timer)
    this.#sample()
    this.#nameThreads()
    const files = [...this.#seconds].map(([file, seconds]) => ({ file, seconds }))
    files.sort((one, other) => other.seconds - one.seconds)
    const total = files.reduce((sum, { seconds }) => sum + seconds, 0)
    const wall = (performance.now() - this.#startedAt) / 1_000
    const opened = countOpened(this.#folder)
    rmSync(this.#folder, { recursive: true, force: true })
    console.log(
      `\n${total.toFixed(0)} s of CPU time in ${wall.toFixed(0)} s; opened: ${JSON.stringify(opened)}; dearest:`,
    )
    for (const { file, seconds } of files.slice(0, PRINTED_FILES))
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
    const target = process.env.LECTERN_CPU_TIME
    if (target) writeFileSync(target, JSON.stringify({ total, wall, opened, files }, null, 1))
  }

  /** Moves what threads have used for files (setup/thread-time.mjs) from the project to the files. */
  #nameThreads() {
    for (const line of linesOf(join(this.#folder, 'threads'))) {
      const [seconds = '', project = '', file = ''] = line.split('\t')
      this.#add(ofVitest(project), -Number(seconds))
      this.#add(`${file} (${project})`, Number(seconds))
    }
  }

  /** @param {string} owner @param {number} seconds */
  #add(owner, seconds) {
    this.#seconds.set(owner, (this.#seconds.get(owner) ?? 0) + seconds)
  }

  #sample() {
    const now = readProcesses()
    const owners = this.#ownersOf(now)
    const ofEnded = (/** @type {string} */ owner) => owner.replace(/^\(vitest, /, '(short processes, ')
    for (const [owner, ticks] of usedBetween(this.#last, now, owners, ofEnded))
      this.#add(owner, ticks / TICKS_PER_SECOND)
    this.#last = new Map([...owners.keys()].map(pid => [pid, /** @type {Sample} */ (now.get(pid))]))
  }

  /**
   * What each process of this run works for: the file of the worker or of the thread that started it.
   *
   * @param {Map<number, Sample>} processes
   */
  #ownersOf(processes) {
    const workers = readdirSync(this.#folder).filter(name => /^\d+$/.test(name))
    const files = new Map(workers.map(name => [Number(name), readFileSync(join(this.#folder, name), 'utf8')]))
    /** @type {Map<number, number[]>} */
    const children = new Map()
    for (const [pid, { parent }] of processes) children.set(parent, [...(children.get(parent) ?? []), pid])
    /** @type {Map<number, string>} */
    const owners = new Map()
    const visit = (/** @type {number} */ pid, /** @type {string} */ inherited) => {
      const isBrowser = processes.get(pid)?.parent === process.pid && nameOf(pid).startsWith('chrom')
      const owner =
        files.get(pid) ?? this.#notedIn(pid, processes) ?? (isBrowser ? '(browser, components)' : inherited)
      owners.set(pid, owner)
      for (const child of children.get(pid) ?? []) visit(child, owner)
    }
    visit(process.pid, ofVitest(this.#project || 'start'))
    return owners
  }

  /**
   * The file of the thread that started a process (setup/thread-time.mjs).
   *
   * @param {number} pid
   * @param {Map<number, Sample>} processes
   */
  #notedIn(pid, processes) {
    const key = `${pid} ${processes.get(pid)?.startedAt}`
    if (!this.#noted.has(key)) this.#noted.set(key, fileInEnvironment(pid))
    return this.#noted.get(key)
  }
}

/** @param {number} pid */
function nameOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8')
  } catch {
    return '' // it has ended
  }
}

/** @param {number} pid */
function fileInEnvironment(pid) {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return variables.find(each => each.startsWith(TEST_FILE))?.slice(TEST_FILE.length) ?? null
  } catch {
    return null // it has ended, or belongs to another user
  }
}

/**
 * The ticks that each owner has used between two samples. What an ended process had used until the first one is among the
 * reaped time of the parent that waited for it, which may have another owner: it is not counted again.
 *
 * @param {Map<number, Sample>} before
 * @param {Map<number, Sample>} now
 * @param {Map<number, string>} owners
 * @param {(owner: string) => string} [ofEnded] whose the time of ended processes is
 */
export function usedBetween(before, now, owners, ofEnded = owner => owner) {
  const isAlive = (/** @type {number} */ pid) =>
    before.has(pid) && now.get(pid)?.startedAt === before.get(pid)?.startedAt
  /** @type {Map<number, number>} by the next ancestor that is alive */
  const known = new Map()
  for (const [pid, { own, reaped, parent }] of before) {
    if (isAlive(pid)) continue
    let ancestor = parent
    while (before.has(ancestor) && !isAlive(ancestor)) ancestor = before.get(ancestor)?.parent ?? 0
    known.set(ancestor, (known.get(ancestor) ?? 0) + own + reaped)
  }
  /** @type {Map<string, number>} */
  const used = new Map()
  for (const [pid, owner] of owners) {
    const { own, reaped } = /** @type {Sample} */ (now.get(pid))
    const last = isAlive(pid) ? before.get(pid) : undefined
    const fromEnded = Math.max(0, reaped - (last?.reaped ?? 0) - (known.get(pid) ?? 0))
    for (const [name, ticks] of /** @type {[string, number][]} */ ([
      [owner, own - (last?.own ?? 0)],
      [ofEnded(owner), fromEnded],
    ]))
      used.set(name, (used.get(name) ?? 0) + ticks)
  }
  return used
}

/** What tests noted (e2e/support/opened.ts). @param {string} folder */
function countOpened(folder) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const what of linesOf(join(folder, 'opened'))) counts[what] = (counts[what] ?? 0) + 1
  return counts
}

/** @param {string} file which may be missing */
const linesOf = file => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])

/**
 * Times in ticks: its own, and that of ended descendants for which it waited.
 *
 * @typedef {{ parent: number, own: number, reaped: number, startedAt: string }} Sample
 */

function readProcesses() {
  /** @type {Map<number, Sample>} */
  const found = new Map()
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const [, parent, , , , , , , , , , user, system, reapedUser, reapedSystem, , , , , startedAt = ''] =
        stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      found.set(Number(pid), {
        parent: Number(parent),
        own: Number(user) + Number(system),
        reaped: Number(reapedUser) + Number(reapedSystem),
        startedAt,
      })
    } catch {
      // It has ended.
    }
  }
  return found
}
