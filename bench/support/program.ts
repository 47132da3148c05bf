import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const TICKS_PER_SECOND = 100 // of Linux, whatever the kernel is built with

/** A Node program that says in its first line where it listens. */
export class Program {
  readonly line: string
  readonly #child: ChildProcess

  constructor(child: ChildProcess, line: string) {
    this.#child = child
    this.line = line
  }

  /** Resident memory now, in MB (1,000,000 bytes). */
  memory(): number {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(this.#proc('status'))?.[1]
    return (Number(kilobytes) * 1024) / 1e6
  }

  /** Seconds of processor time so far. */
  busy(): number {
    const [user, system] = this.#proc('stat')
      .replace(/^.*\) /, '')
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) / TICKS_PER_SECOND
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const ended = once(this.#child, 'exit')
    if (this.#child.kill(signal)) await ended
  }

  #proc(file: string): string {
    return readFileSync(`/proc/${this.#child.pid}/${file}`, 'utf8')
  }
}

export async function start(args: string[], env: Record<string, string> = {}): Promise<Program> {
  const options = { env: { ...process.env, ...env } }
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return new Program(child, line)
}

/** Runs a program to its end, and gives what it prints. */
export async function run(args: string[]): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.slice(1).join(' ')} failed`)
  return output
}
