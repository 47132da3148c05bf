import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { withThisNode } from './environment.mjs'

/** The last lines of a failed command's output in its error. */
const ERROR_LINES = 60

/** A failure that the user can fix. Printed without a stack trace. */
export class SetupError extends Error {
  name = 'SetupError'
}

/** A failed command with the end of its output. */
class CommandFailed extends SetupError {
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
    child.once('error', err => reject(new CommandFailed(command, err.message, output)))
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
