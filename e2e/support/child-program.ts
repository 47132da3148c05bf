import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { whenGone } from '../../packages/server/src/testing/when-gone.ts'
import { HANGS_AFTER_MS, waitFor } from './wait.ts'

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface ProgramOptions {
  cwd?: string
  env?: Record<string, string>
  /** Gets what the program writes to standard error. */
  onLog?: (text: string) => void
}

/** What is kept of each output. */
const OUTPUT_CHARACTERS_MAX = 2_000_000

/** A child process in its own process group, so that its descendants are killed with it. */
export class Program {
  readonly ended: Promise<Exit>
  stdout = ''
  stderr = ''
  readonly #child: ChildProcess
  #exit: Exit | null = null

  constructor(command: string, args: string[], { cwd, env, onLog }: ProgramOptions = {}) {
    this.#child = spawn(command, args, {
      cwd,
      env: { ...cleanEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.#child.stdout?.setEncoding('utf8').on('data', text => {
      this.stdout = (this.stdout + text).slice(-OUTPUT_CHARACTERS_MAX)
    })
    this.#child.stderr?.setEncoding('utf8').on('data', text => {
      this.stderr = (this.stderr + text).slice(-OUTPUT_CHARACTERS_MAX)
      onLog?.(text)
    })
    const callOff = whenGone('kill -s KILL -- "-$1"', String(this.pid))
    this.#child.once('exit', () => {
      killGroup(this.pid, 'SIGKILL')
      callOff()
    })
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject)
      this.#child.once('close', (code, signal) => {
        this.#exit = { code, signal }
        resolve(this.#exit)
      })
    })
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('The program could not be started.')
    return this.#child.pid
  }

  /** Null while it runs. */
  get exit(): Exit | null {
    return this.#exit
  }

  /** Waits until standard output matches. */
  async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    return waitFor(() => {
      const match = pattern.exec(this.stdout)
      if (!match && this.#exit) throw new Error(`It exited without printing ${pattern}:\n${this.stderr}`)
      return match
    }, `it prints ${pattern}`)
  }

  /** Sends the signal and waits for the exit; throws after the time limit. */
  async kill(signal: NodeJS.Signals): Promise<Exit> {
    if (!this.#exit) killGroup(this.pid, signal)
    const timeout = sleep(HANGS_AFTER_MS, null, { ref: false })
    const exit = await Promise.race([this.ended, timeout])
    if (!exit) throw new Error(`It still runs ${HANGS_AFTER_MS} ms after ${signal}:\n${this.stderr}`)
    return exit
  }
}

function killGroup(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has exited.
  }
}

/** The environment without variables that configure the service or reveal a test run. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign =
    /^(SVC_|LECTERN_(?!WEAK_PASSWORD_HASHES$)|VITEST|NODE_ENV$|NODE_OPTIONS$|TEST$|NO_COLOR$|FORCE_COLOR$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}
