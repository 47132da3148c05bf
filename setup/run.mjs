import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { withThisNode } from './environment.mjs'

/** How much of a failed command's output its error shows. */
const KEPT_LINES = 60

/** A reason to stop that the reader can act on. It is shown without a stack trace. */
export class SetupError extends Error {
  name = 'SetupError'
}

/** A command that failed, with the end of what it printed. */
class CommandFailed extends SetupError {
  name = 'CommandFailed'

  /**
   * @param {string} command
   * @param {string} how
   * @param {string} output
   */
  constructor(command, how, output) {
    super([`${command}: ${how}`, ...output.trimEnd().split('\n').slice(-KEPT_LINES)].join('\n    '))
    this.output = output
  }
}

/** What runs now. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
let isEnding = false

/** Ends what runs now, and waits for it: npm takes its half-done work back first. No `run` returns any more. */
export async function endRunning() {
  isEnding = true
  const ended = [...running].map(child => once(child, 'close'))
  for (const child of running) end(child)
  await Promise.all(ended)
}

/**
 * Runs a command without showing its output; `onLine` sees every line. Resolves with all of it.
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
    detached: true, // a process group of its own: the compilers that ninja started end with it
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
    // The group has left already.
  }
}

/**
 * Whether a command succeeds; its output does not matter.
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
