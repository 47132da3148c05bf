import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { freePort } from '@lectern/server/testing'
import { type ImageConfig, runtimeConfig, seccomp } from './container-config.ts'
import { markOwner, removeLeftovers } from './container-leftovers.ts'
import { makeTempFolder, repositoryPath } from './folders.ts'
import { type Exit, Program } from './program.ts'
import { waitFor } from './wait.ts'

const BUILD = repositoryPath('e2e/support/container-image.sh')
const CRUN = repositoryPath('e2e/support/crun.sh')

/** Ends what hangs: tests wait for a program as long as this. */
const COMMAND_MS = 400_000

/**
 * The image of Lectern, built by buildah, and a container of it, run by crun as Docker and Kubernetes run it: with a read-only
 * system, their filter of system calls and without capabilities, but in the network of this machine and without limits of
 * memory. The volume outlives the container.
 */
export class Container {
  readonly #folder = makeTempFolder('image')
  readonly #name = basename(this.#folder)
  #root = ''
  #config: ImageConfig | null = null
  #program: Program | null = null
  #beside = 0
  port = 0

  async build(): Promise<void> {
    removeLeftovers('lectern-image-', CRUN)
    markOwner(this.#folder)
    const out = join(this.#folder, 'build/package')
    const packaging = ['setup/package.mjs', '--as-built', '--compression', 'none', '--out', out]
    command(process.execPath, packaging)
    const root = command(process.execPath, ['setup/packaging/debian-root.mjs']).split('\n').at(-1) ?? ''
    this.#root = command(BUILD, [this.#folder, root, 'deploy/docker/Dockerfile'])
    rmSync(out, { recursive: true })
    const inspected = readFileSync(join(this.#folder, 'image.json'), 'utf8')
    this.#config = JSON.parse(inspected).Docker.config
    this.port = await freePort()
    const volume = this.#volume
    mkdirSync(volume)
    // As engines do, with a new volume.
    const { uid, gid, mode } = statSync(join(this.#root, this.config.WorkingDir))
    chownSync(volume, uid, gid)
    chmodSync(volume, mode)
  }

  get config(): ImageConfig {
    if (!this.#config) throw new Error('The image is not built.')
    return this.#config
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Runs the command of the image with further variables, until it answers. */
  async start(env: Record<string, string>): Promise<void> {
    const all = { SVC_SERVER_PORT: String(this.port), ...env }
    const config = runtimeConfig(this.config, { root: this.#root, volume: this.#volume, env: all })
    writeFileSync(join(this.#folder, 'config.json'), JSON.stringify(config))
    const program = new Program(CRUN, [...this.#crun('run'), '--bundle', this.#folder, this.#name])
    this.#program = program
    await waitFor(async () => {
      if (program.exit) throw new Error(`The container has ended: ${this.log}`)
      return (await fetch(`${this.url}/readyz`).catch(() => null))?.ok
    }, 'the container is ready')
  }

  /** Of system calls, as engines have it. */
  readonly usualFilter = seccomp()

  /** Runs another program of the image beside it, as compose.yaml does with a converter: without the volume. */
  startBeside(settings: {
    command: readonly string[]
    env: Record<string, string>
    filter: object
    files?: Record<string, string>
  }): Program {
    const name = `${this.#name}-${++this.#beside}`
    const bundle = join(this.#folder, name)
    mkdirSync(bundle)
    const config = runtimeConfig(this.config, { root: this.#root, volume: null, ...settings })
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(config))
    return new Program(CRUN, [...this.#crun('run'), '--bundle', bundle, name])
  }

  get log(): string {
    return `${this.#program?.stdout}${this.#program?.stderr}`
  }

  /** Runs a program in it as the user of the image, and returns its exit code and output. */
  async exec(...args: string[]): Promise<{ code: number | null; output: string }> {
    const as = ['--user', this.config.User]
    const program = new Program(CRUN, [...this.#crun('exec'), ...as, this.#name, ...args])
    const { code } = await program.ended
    return { code, output: program.stdout + program.stderr }
  }

  /** Sends SIGTERM to its first process, and waits for its end. */
  async stop(): Promise<Exit> {
    if (!this.#program) throw new Error('The container does not run.')
    command(CRUN, [...this.#crun('kill'), this.#name, 'SIGTERM'])
    return this.#program.ended
  }

  async end(): Promise<void> {
    for (let i = 0; i <= this.#beside; i++)
      command(CRUN, [...this.#crun('delete'), '--force', i === 0 ? this.#name : `${this.#name}-${i}`])
    await this.#program?.ended
    const storage = ['--root', join(this.#folder, 'storage'), '--runroot', join(this.#folder, 'run')]
    const buildah = (...args: string[]) =>
      command('buildah', [...storage, '--storage-driver', 'overlay', ...args])
    buildah('umount', '--all')
    buildah('rm', '--all')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #volume(): string {
    return join(this.#folder, 'volume')
  }

  #crun(name: string): string[] {
    return ['--root', join(this.#folder, 'crun'), name]
  }
}

const command = (program: string, args: string[]): string =>
  execFileSync(program, args, { cwd: repositoryPath('.'), encoding: 'utf8', timeout: COMMAND_MS }).trim()
