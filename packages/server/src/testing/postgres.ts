import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { whenGone } from './when-gone.ts'

/** The folder in which Debian installs the programs, newest version last. */
const DEBIAN = '/usr/lib/postgresql'
const READY_WITHIN_MS = 150_000

/**
 * For tests only: a crash of the machine may lose everything, which saves most of the time of small transactions. The end
 * of its processes loses nothing that was committed.
 * Connections of many tests overlap while a busy machine closes them.
 */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '1000',
  shared_buffers: '64MB',
  autovacuum: 'off',
  unix_socket_directories: '',
  listen_addresses: '127.0.0.1',
}

export interface PostgresServer {
  /** The address of the database `postgres`, without a password; its user may do everything. */
  readonly url: string
  /** The address of another database on the same server. */
  urlOf(database: string): string
  readonly pid: number | null
  /** Ends all processes at once, as the loss of the machine does; what was committed stays. */
  kill(): Promise<void>
  /** All processes stop running, as on a machine that hangs; connections stay open. */
  pause(): void
  resume(): void
  /** Starts it again, on the same port with the same data. */
  start(): Promise<void>
  /** Ends it in order, and all connections. Safe to call twice. */
  stop(): Promise<void>
  /** A hot standby becomes a primary. */
  promote(): Promise<void>
}

/**
 * Starts PostgreSQL with its data in a folder, which it creates; a folder of an earlier run is used again. As root it runs
 * as the user `postgres`, who must be able to reach the folder. It ends with the thread of the caller, unless it
 * `outlives` it.
 */
export async function startPostgres(
  folder: string,
  settings: Partial<Record<string, string>> = {},
  { outlives = false } = {},
): Promise<PostgresServer> {
  if (!existsSync(join(folder, 'PG_VERSION'))) createCluster(folder)
  const port = settings.port ?? String(await freePort())
  const server = new Server(folder, { ...SETTINGS, ...settings, port }, outlives)
  await server.start()
  return server
}

/** Starts a hot standby of a running server, with its data in an empty folder: it replicates, and only reads. */
export async function startStandby(folder: string, primary: PostgresServer): Promise<PostgresServer> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  own(folder)
  const address = `${primary.url}?application_name=standby`
  await runPostgresProgram('pg_basebackup', [
    '-d',
    address,
    '-D',
    folder,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    '--no-sync',
  ])
  return startPostgres(folder)
}

/** Files that PostgreSQL reads, which its user has to own. */
export function own(...files: string[]): void {
  const user = postgresUser()
  if (user) for (const file of files) chownSync(file, user.uid, user.gid)
}

/** A shell command that ends the server with its data in the folder, also one of another process. */
export const stopCommand = (folder: string): string =>
  `pid=$(head -n 1 '${folder}/postmaster.pid') && kill -s QUIT "$pid" && timeout 10 sh -c "while kill -0 $pid; do sleep 0.1; done"`

class Server implements PostgresServer {
  readonly url: string
  readonly #folder: string
  readonly #settings: Record<string, string | undefined>
  readonly #outlives: boolean
  #callOff = () => {}

  constructor(folder: string, settings: Record<string, string | undefined>, outlives: boolean) {
    this.#folder = folder
    this.#settings = settings
    this.#outlives = outlives
    this.url = this.urlOf('postgres')
  }

  urlOf = (database: string) => `postgres://postgres@127.0.0.1:${this.#settings.port}/${database}`

  get pid(): number | null {
    return pidIn(this.#folder)
  }

  async start(): Promise<void> {
    const options = Object.entries(this.#settings).map(([name, value]) => `-c ${name}='${value}'`)
    const log = join(this.#folder, 'server.log')
    await runPostgresProgram('pg_ctl', [
      'start',
      ...['-D', this.#folder, '-l', log, '-w', '-t', String(READY_WITHIN_MS / 1000), '-s'],
      ...['-o', options.join(' ')],
    ])
    // It is no child, and would run on when this program is killed.
    if (!this.#outlives) this.#callOff = whenGone(`kill -s CONT "$1"; kill -s QUIT "$1"`, String(this.pid))
  }

  async stop(): Promise<void> {
    this.#callOff()
    if (this.pid !== null)
      await runPostgresProgram('pg_ctl', ['stop', '-D', this.#folder, '-m', 'fast', '-w', '-s'])
  }

  promote(): Promise<void> {
    return runPostgresProgram('pg_ctl', ['promote', '-D', this.#folder, '-w', '-s'])
  }

  pause(): void {
    for (const each of processesIn(this.#folder)) signal(each, 'SIGSTOP')
  }

  resume(): void {
    for (const each of processesIn(this.#folder)) signal(each, 'SIGCONT')
  }

  async kill(): Promise<void> {
    this.#callOff()
    const postmaster = pidIn(this.#folder)
    if (postmaster !== null) signal(postmaster, 'SIGSTOP') // it starts no more processes
    // Connections, too, which would still answer for a moment.
    const all = processesIn(this.#folder)
    for (const each of all) signal(each, 'SIGKILL')
    while (all.some(isAlive)) await new Promise(resolve => setTimeout(resolve, 10))
    rmSync(join(this.#folder, 'postmaster.pid'), { force: true })
  }
}

/** The server and the processes of its connections. */
function processesIn(folder: string): number[] {
  const pid = pidIn(folder)
  return pid === null ? [] : [pid, ...childrenOf(pid)]
}

function createCluster(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  own(folder)
  const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(program('initdb'), ['-D', folder, ...options], {
    ...asUser(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** PostgreSQL does not run as root. */
function postgresUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const [, , uid, gid] = (/^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0] ?? '').split(':')
  if (!uid || !gid) throw new Error('there is no user postgres: is PostgreSQL installed?')
  return { uid: Number(uid), gid: Number(gid) }
}

/** The folder of the caller may not be open to that user. */
const asUser = () => ({ ...postgresUser(), cwd: '/' })

function program(name: string): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(a) - Number(b)) : []
  const found = versions.map(version => join(DEBIAN, version, 'bin', name)).filter(existsSync)
  return found.at(-1) ?? name
}

/** Runs a program of the installed PostgreSQL, such as pg_dump, as its user. */
export function runPostgresProgram(name: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program(name), args, { ...asUser(), stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', text => {
      errors += text
    })
    child.on('error', reject)
    // Not `close`: the server keeps the stream.
    child.on('exit', code => {
      child.stderr.destroy()
      if (code === 0) resolve()
      else reject(new Error(`${name} failed: ${errors.trim()}`))
    })
  })
}

function pidIn(folder: string): number | null {
  try {
    const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    return isAlive(pid) ? pid : null
  } catch {
    return null
  }
}

/** A process that nobody waits for yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {} // gone already
}
