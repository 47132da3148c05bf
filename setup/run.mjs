import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { withThisNode } from './environment.mjs'

/** The last lines of a failed command's output in its error. */
const ERROR_LINES = 60

/** A failure that the user can fix. Printed without a stack trace. */
export class SetupError extends Error {
  /** @override */
  name = 'SetupError'
}

/** Prints why something failed. @param {unknown} err */
export function explain(err) {
  console.error(err instanceof SetupError ? `\nSetup failed: ${err.message}\n` : err)
}

/** A failed command with the end of its output. */
class CommandFailed extends SetupError {
  /** @override */
  name = 'CommandFailed'

  /**
   * @param {string} command
   * @param {string} reason
   * @param {string} output
   */
  constructor(command, reason, output) {
    super([`${command}: ${reason}`, ...output.trimEnd().split('\n').slice(-ERROR_LINES)].join('\n    '))
    this.output = output
  }
}

/** Running commands. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
let isEnding = false

/** Stops running commands and waits for their exit: npm rolls back first. No `run` settles afterwards. */
export async function endRunning() {
  isEnding = true
  const ended = [...running].map(child => once(child, 'close'))
  for (const child of running) end(child)
  await Promise.all(ended)
}

/**
 * Runs a command without printing its output; `onLine` receives every line. Resolves with the output.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, onLine?: (line: string) => void }} [options]
 * @returns {Promise<string>}
 */
export function run(command, args, { cwd, env, timeoutMs, onLine } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...withThisNode(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // its own process group, so that compilers started by ninja are stopped too
  })
  running.add(child)
  const timer = timeoutMs && setTimeout(() => end(child), timeoutMs)

  return new Promise((resolve, reject) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        output += text
        for (const line of text.split('\n')) if (line.trim()) onLine?.(line)
      })
    }
    child.once('error', err => {
      const isMissing = 'code' in err && err.code === 'ENOENT'
      reject(Object.assign(new CommandFailed(command, err.message, output), { isMissing }))
    })
    child.once('close', (code, signal) => {
      if (isEnding) return
      if (code === 0) resolve(output)
      else reject(new CommandFailed([command, ...args].join(' '), `exit ${signal ?? code}`, output))
    })
  }).finally(() => {
    clearTimeout(timer)
    running.delete(child)
  })
}

/** Where Debian's npm has its modules, which Debian's Node finds without help. */
const debianModules = '/usr/share/nodejs:/usr/lib/nodejs'

/**
 * Runs the npm of this machine with this Node: npm omits optional packages that the Node which runs it could not load.
 *
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export async function npm(args, options) {
  try {
    return await run('npm', args, { ...options, env: { NODE_PATH: debianModules, ...options?.env } })
  } catch (err) {
    throw err.isMissing ? new SetupError('npm is missing. On Debian: sudo apt-get install npm') : err
  }
}

/**
 * Runs a program in place of this process: with the same terminal and signals, and its exit code becomes that of this
 * process.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] more variables
 */
export function runInPlace(command, args, env = {}) {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGINT', () => {
    // In a terminal Ctrl+C also reaches the child; a second signal would abort its graceful shutdown.
    if (!process.stdin.isTTY) child.kill('SIGINT')
  })
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)))
}

/** @param {import('node:child_process').ChildProcess} child */
function end(child) {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGTERM')
  } catch {
    // The group has exited already.
  }
}

/**
 * Whether a command succeeds; ignores its output.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export async function succeeds(command, args, options) {
  return run(command, args, options).then(
    () => true,
    () => false,
  )
}
