import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenGone } from './when-gone.ts'

export interface NatsServer {
  /** `nats://127.0.0.1:PORT`, the same after a restart. */
  url: string
  port: number
  readonly pid: number | null
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>
  /** Starts it again at the same port. */
  restart(): Promise<void>
  /** Ends the process and removes its files. */
  stop(): Promise<void>
}

export interface NatsSettings {
  /** A loopback address. */
  host?: string
  /** 0, the default, selects a free one. */
  port?: number
  /** Further arguments, such as `--user`. */
  args?: string[]
}

const READY_WITHIN_MS = 150_000

/** Starts Debian's nats-server on a loopback address. Resolves when it accepts connections. */
export async function startNats({
  host = '127.0.0.1',
  port = 0,
  args = [],
}: NatsSettings = {}): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-nats-'))
  const start = (at: number) => run(folder, ['-a', host, '-p', String(at || -1), ...args])
  let running = await start(port)
  const server: NatsServer = {
    url: `nats://${host}:${running.port}`,
    port: running.port,
    get pid() {
      const { exitCode, signalCode, pid = null } = running.child
      return exitCode === null && signalCode === null ? pid : null
    },
    kill: () => end(running.child, 'SIGKILL'),
    restart: async () => {
      running = await start(server.port)
    },
    stop: async () => {
      await end(running.child, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return server
}

async function run(folder: string, args: string[]): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn('nats-server', [...args, '--ports_file_dir', folder], { stdio: 'ignore' })
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`nats-server ended with ${code}`)))
  })
  failed.catch(() => {})
  child.once('exit', whenGone('kill "$1"', String(child.pid)))
  return { child, port: await Promise.race([portOf(child, folder), failed]) }
}

/** The port of the server, which writes its ports to a file when it listens. */
async function portOf({ pid }: ChildProcess, folder: string): Promise<number> {
  const deadline = performance.now() + READY_WITHIN_MS
  while (performance.now() < deadline) {
    const file = readdirSync(folder).find(name => name.includes(`_${pid}.`))
    const ports = file && /"nats":\["\w+:\/\/[^"]*:(\d+)"/.exec(readFileSync(join(folder, file), 'utf8'))
    if (ports) return Number(ports[1])
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error('nats-server was not ready in time')
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise(resolve => child.once('exit', resolve))
  child.kill(signal)
  await exited
}
