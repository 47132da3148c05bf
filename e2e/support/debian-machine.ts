import { execFile } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { makeTempFolder, repositoryPath } from './folders.ts'
import { Program } from './program.ts'
import { waitFor } from './wait.ts'

const BOOT = repositoryPath('e2e/support/debian-machine.sh')

/** Removes the cgroup $1 with all below it, when its last process is gone: the kernel does not. */
const REMOVE_CGROUP = `folder=$(mktemp -d) && mount -t cgroup2 cgroup2 "$folder" || exit
  for attempt in $(seq 300); do
    find "$folder/$1" -depth -type d -exec rmdir {} + 2> /dev/null
    [ -e "$folder/$1" ] || break
    sleep 0.1
  done
  umount "$folder" && rmdir "$folder"`

interface Request {
  port?: number
  token?: string
  method?: string
  body?: object
}

interface Result {
  code: number
  output: string
}

/** A clean Debian that systemd has booted, in namespaces of its own: it has a network of its own, with loopback alone. */
export class DebianMachine {
  readonly #folder = makeTempFolder('debian')
  readonly #name: string
  readonly #suite: string
  readonly #programs: Program[] = []
  /** Its process 1, as this machine sees it. */
  init = 0

  /** Of a release of Debian, such as `trixie`. */
  constructor(suite = 'bookworm') {
    this.#name = basename(this.#folder)
    this.#suite = suite
  }

  /** Boots it with the given files of this machine in its folder /srv/shared. */
  async boot(files: string[]): Promise<void> {
    const { output, code } = await command(process.execPath, [
      repositoryPath('setup/packaging/debian-root.mjs'),
      this.#suite,
    ])
    const root = output.trim().split('\n').at(-1) ?? ''
    if (code !== 0) throw new Error(`There is no Debian to boot: ${output}`)
    const shared = join(this.#folder, 'upper/srv/shared')
    mkdirSync(shared, { recursive: true })
    for (const file of files) linkSync(file, join(shared, basename(file)))
    const program = new Program('unshare', ['--mount', BOOT, root, this.#folder, this.#name])
    this.#programs.push(program)
    this.init = await waitFor(() => {
      if (program.exit) throw new Error(`Debian does not boot: ${program.stderr}`)
      return systemdOf(program.pid)
    }, 'the machine has a process 1')
    await waitFor(
      // Before the boot, commands would run outside.
      async () =>
        (await this.run('sh', '-c', 'test -d /srv/shared && systemctl is-active basic.target')).code === 0,
      'Debian has booted',
    )
  }

  /** Runs a command in it, as root. */
  run(...args: string[]): Promise<Result> {
    const namespaces = ['--mount', '--pid', '--net', '--ipc', '--uts', '--cgroup']
    const environment = ['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'DEBIAN_FRONTEND=noninteractive']
    return command('nsenter', ['-t', String(this.init), ...namespaces, ...environment, ...args])
  }

  /** The output of a command that succeeds. */
  async get(...args: string[]): Promise<string> {
    const { code, output } = await this.run(...args)
    if (code !== 0) throw new Error(`${args.join(' ')}: exit ${code}\n${output}`)
    return output.trim()
  }

  /** With folders that are missing. The owner and rights of a file that exists stay. */
  async writeFile(path: string, text: string): Promise<void> {
    await this.get('sh', '-c', 'mkdir -p "$(dirname "$1")" && printf %s "$2" > "$1"', 'sh', path, text)
  }

  /** Starts a program of this machine in the network of the other one. */
  start(...args: string[]): Program {
    const program = new Program('nsenter', ['-t', String(this.init), '--net', ...args])
    this.#programs.push(program)
    return program
  }

  /** A request from inside; to port 443 by https, whatever the certificate. */
  async http(path: string, { port = 8080, token, method = 'GET', body }: Request = {}) {
    const origin = port === 443 ? 'https://127.0.0.1' : `http://127.0.0.1:${port}`
    const args = ['-sk', '-X', method, '-w', '\n%{http_code}', `${origin}${path}`]
    if (token) args.push('-H', `Authorization: Bearer ${token}`)
    if (body) args.push('-H', 'Content-Type: application/json', '-d', JSON.stringify(body))
    const { output } = await command('nsenter', ['-t', String(this.init), '--net', 'curl', ...args])
    const lines = output.split('\n')
    return { status: Number(lines.at(-1)), text: lines.slice(0, -1).join('\n') }
  }

  async end(): Promise<void> {
    await Promise.all(this.#programs.map(program => program.kill('SIGKILL')))
    await command('unshare', ['--mount', 'sh', '-c', REMOVE_CGROUP, 'sh', this.#name])
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** The child of the process when that is the last program of the script; 0 before. */
function systemdOf(pid: number): number {
  try {
    if (readFileSync(`/proc/${pid}/comm`, 'utf8') !== 'unshare\n') return 0
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

const OUTPUT_BYTES_MAX = 10_000_000

function command(program: string, args: string[]): Promise<Result> {
  return new Promise(resolve => {
    execFile(program, args, { maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + (error ? stderr : '') }),
    )
  })
}
