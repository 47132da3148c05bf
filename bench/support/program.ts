import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { createInterface } from 'node:readline'
import { pollUntil } from '@lectern/common'
import { busyOf, memoryOf } from './processes.ts'

/** A child process. */
export class Program {
  /** The first line of output: the address of Node programs. */
  readonly line: string
  readonly #child: ChildProcess

  constructor(child: ChildProcess, line = '') {
    this.#child = child
    this.line = line
  }

  get pid(): number {
    return this.#child.pid as number
  }

  /** The resident memory in MB (1,000,000 bytes). */
  memory(): number {
    return memoryOf(this.pid)
  }

  /** The CPU seconds so far. */
  busy(): number {
    return busyOf(this.pid)
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const ended = once(this.#child, 'exit')
    if (this.#child.kill(signal)) await ended
  }
}

/** Starts a Node program, and waits for its address. */
export async function start(args: string[], env: Record<string, string> = {}): Promise<Program> {
  const options = { env: { ...process.env, ...env } }
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${args.join(' ')} ended before it was ready`)
  })
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])
  ended.catch(() => {}) // later exits are expected
  return new Program(child, line)
}

/** An external server that listens on a given port. */
interface ExternalServer {
  command: string
  args: string[]
  port: number
  /** The Debian package. */
  package: string
}

const LISTENS_WITHIN_MS = 10_000

/** Starts an external server, and waits until it listens. Names a missing Debian package. */
export async function startExternalServer(external: ExternalServer): Promise<Program> {
  const child = spawn(external.command, external.args, { stdio: ['ignore', 'ignore', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  await once(child, 'spawn').catch(() => {
    throw new Error(
      `${external.command} is missing: apt-get install --no-install-recommends ${external.package}`,
    )
  })
  const listens = () => {
    if (child.exitCode !== null) throw new Error(`${external.command} ended (${child.exitCode})`)
    return isOpen(external.port)
  }
  if (!(await pollUntil(listens, { intervalMs: 50, timeoutMs: LISTENS_WITHIN_MS })))
    throw new Error(`${external.command} does not listen`)
  return new Program(child)
}

function isOpen(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1')
  return once(socket, 'connect')
    .then(() => true)
    .catch(() => false)
    .finally(() => socket.destroy())
}

/** Runs a program, and returns its output. */
export async function run(args: string[], env: Record<string, string> = {}): Promise<string> {
  const options = { env: { ...process.env, ...env } }
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.slice(1).join(' ')} failed`)
  return output
}
