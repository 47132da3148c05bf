import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeTempFolder } from './folders.ts'
import { Program } from './program.ts'
import { waitFor } from './wait.ts'

/** Where the local authority has its directory. */
export const DIRECTORY = 'https://acme.example.org:9443/acme/local/directory'

/** Settings of Caddy for the local authority: it validates names on ports 80 and 443, as Let's Encrypt does. */
export const AUTHORITY = `{
	admin off
	skip_install_trust
	auto_https disable_redirects
	http_port 9080
}
https://acme.example.org:9443 {
	tls internal
	acme_server
}
`

/** In folder $1: the host's own /etc, without names of other machines, and empty folders. */
const BOOT = `set -e
mkdir "$1/etc" "$1/work"
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$1/etc,workdir=$1/work" /etc
echo '127.0.0.1 localhost meet.example.org acme.example.org' > /etc/hosts
for folder in /run /var/log /var/www; do mount -t tmpfs tmpfs "$folder"; done
mkdir /var/log/nginx
ip link set lo up
echo booted
exec sleep infinity`

/** A host named meet.example.org with all its ports free and an /etc of its own, where an ACME server runs, too. Needs root. */
export class SchoolHost {
  readonly folder = makeTempFolder('school')
  readonly #programs: Program[] = []
  #pid = 0

  /** The certificate of the authority. */
  get rootCertificate(): string {
    return join(this.folder, 'authority/caddy/pki/authorities/local/root.crt')
  }

  async boot(): Promise<void> {
    const host = new Program('unshare', ['--mount', '--net', 'sh', '-c', BOOT, 'sh', this.folder])
    this.#programs.push(host)
    await host.waitForOutput(/^booted$/m)
    this.#pid = host.pid
    await this.startCaddy('authority', AUTHORITY)
    await waitFor(() => this.get(DIRECTORY).includes('newOrder'), 'the authority answers')
  }

  /** Runs a program there until it is ended. */
  start(command: string, args: string[], env: Record<string, string> = {}): Program {
    const program = new Program('nsenter', [...this.#namespaces, command, ...args], { env })
    this.#programs.push(program)
    return program
  }

  /** Caddy with a Caddyfile, whose files are in a folder of that name. */
  startCaddy(name: string, caddyfile: string): Program {
    const home = join(this.folder, name)
    mkdirSync(home)
    const file = join(home, 'Caddyfile')
    writeFileSync(file, caddyfile)
    const env = { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home }
    return this.start('caddy', ['run', '--adapter', 'caddyfile', '--config', file], env)
  }

  /** The output of a program there; throws when it fails. */
  run(command: string, args: string[], env: Record<string, string> = {}): string {
    return execFileSync('nsenter', [...this.#namespaces, command, ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, ...env },
    })
  }

  /** A resource as who trusts the authority alone gets it, or an empty text. */
  get(url: string, ...options: string[]): string {
    try {
      return this.run('curl', ['-s', '--fail', '--cacert', this.rootCertificate, ...options, url])
    } catch {
      return ''
    }
  }

  /** Whether there is an answer, whatever it says. */
  answers(url: string): boolean {
    try {
      this.run('curl', ['-s', '-o', '/dev/null', url])
      return true
    } catch {
      return false
    }
  }

  /** Writes a file into its /etc, with its folder. */
  writeFile(path: string, content: string): void {
    const own = `/proc/${this.#pid}/root${path}`
    mkdirSync(dirname(own), { recursive: true })
    writeFileSync(own, content)
  }

  /** A file in its /etc. */
  readFile(path: string): string {
    return readFileSync(`/proc/${this.#pid}/root${path}`, 'utf8')
  }

  async end(): Promise<void> {
    await Promise.all(this.#programs.map(program => program.kill('SIGKILL')))
    rmSync(this.folder, { recursive: true, force: true })
  }

  get #namespaces(): string[] {
    return ['-t', String(this.#pid), '--mount', '--net']
  }
}
