import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** How this machine reaches the package registries. */
const access = [
  ...['/etc/apt', '/etc/ssl/certs', '/usr/local/share/ca-certificates', '/etc/resolv.conf', '/etc/hosts'],
  '/root/.npmrc',
]
const CHECKOUT = '/srv/lectern'

/** A Debian in a folder that has only git, a Node with its npm, and a clone of this repository. Needs root. */
export class CleanMachine {
  readonly #root: string

  /** @param node the folder of a Node: bin/node */
  constructor(folder: string, node: string) {
    this.#root = join(folder, 'root')
    const packages = '--include=ca-certificates,git'
    const options = ['--mode=root', '--format=directory', '--variant=minbase', packages]
    execFileSync(
      'mmdebstrap',
      [...options, '--aptopt=APT::Install-Recommends "false"', 'bookworm', this.#root],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    for (const path of access) {
      if (!existsSync(path)) continue
      rmSync(this.#inside(path), { recursive: true, force: true }) // a link here may be a folder there
      cpSync(path, this.#inside(path), { recursive: true, dereference: true })
    }
    cpSync(join(node, 'bin/node'), this.#inside('/usr/local/bin/node'))
    // Of the system: a pinned Node has none.
    const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())
    cpSync(dirname(dirname(npm)), this.#inside('/usr/local/lib/node_modules/npm'), { recursive: true })
    execFileSync('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', this.#inside('/usr/local/bin/npm')])
    mkdirSync(dirname(this.#inside(CHECKOUT)), { recursive: true })
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repository, this.#inside(CHECKOUT)])
  }

  #inside = (path: string) => join(this.#root, path)

  /** Runs a command in the checkout. Its processes end with it. */
  run(command: string): ChildProcess {
    const script = `mount -t proc proc ${this.#root}/proc && mount --rbind /dev ${this.#root}/dev &&
      exec chroot ${this.#root} sh -c 'cd ${CHECKOUT} && exec ${command}'`
    const namespaces = ['--mount', '--pid', '--fork', '--kill-child']
    return spawn('unshare', [...namespaces, 'sh', '-c', script], {
      env: { ...process.env, HOME: '/root', PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }
}
