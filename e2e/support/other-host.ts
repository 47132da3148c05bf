import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { Program, type ProgramOptions } from './child-program.ts'

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' })
const ipOf =
  (process: number) =>
  (...args: string[]) =>
    execFileSync('nsenter', ['-t', String(process), '--net', 'ip', ...args], { stdio: 'pipe' })

/** Names and addresses of several runs of the tests on one machine do not collide. */
const id = process.pid % 16_384
const subnet = `10.${224 + (id >> 12)}.${(id >> 4) & 255}`
const host = (number: number) => `${subnet}.${4 * (id & 15) + number}`

/** What a network lets out. */
export type Firewall = 'open' | 'tcp only' | 'https only'

/** Another host as the programs see it: a network namespace, whose only interface is a cable to this one. Needs root. */
export class OtherHost {
  readonly address = host(2)
  /** The address at the other end of the cable. */
  readonly ownAddress = host(1)
  readonly #namespace = `lectern-${id}`
  readonly #ipThere: typeof ip
  readonly #programs: Program[] = []

  /** The cable leads to this host, or into the network of a process. */
  constructor(process?: number) {
    const cable = `lectern${id}`
    ip('netns', 'add', this.#namespace)
    ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.#namespace)
    if (process !== undefined) ip('link', 'set', cable, 'netns', String(process))
    this.#ipThere = process === undefined ? ip : ipOf(process)
    this.#ipThere('address', 'add', `${this.ownAddress}/30`, 'dev', cable)
    this.#ipThere('link', 'set', cable, 'up')
    ip('-n', this.#namespace, 'link', 'set', 'lo', 'up')
    ip('-n', this.#namespace, 'address', 'add', `${this.address}/30`, 'dev', 'eth0')
    this.connect()
  }

  /** The other end of the cable has this address, too, and programs here know names as /etc/hosts has them. */
  reach(address: string, hosts: string): void {
    this.#ipThere('address', 'add', `${address}/32`, 'dev', 'lo')
    ip('-n', this.#namespace, 'route', 'add', address, 'via', this.ownAddress)
    mkdirSync(this.#etc, { recursive: true })
    writeFileSync(`${this.#etc}/hosts`, hosts)
  }

  /** Files that `ip netns exec` puts over those of /etc. */
  get #etc(): string {
    return `/etc/netns/${this.#namespace}`
  }

  /** Writes a script that runs a program there, for those who start programs by path. Returns its path. */
  launcher(folder: string, command: string): string {
    const path = join(folder, 'on-other-host')
    writeFileSync(path, `#!/bin/sh\nexec ip netns exec ${this.#namespace} ${command} "$@"\n`, { mode: 0o755 })
    return path
  }

  run(command: string, args: string[], options?: ProgramOptions): Program {
    const program = new Program('ip', ['netns', 'exec', this.#namespace, command, ...args], options)
    this.#programs.push(program)
    return program
  }

  /** Its network is gone: nothing is refused, nothing arrives. */
  disconnect(): void {
    ip('-n', this.#namespace, 'link', 'set', 'eth0', 'down')
  }

  connect(): void {
    ip('-n', this.#namespace, 'link', 'set', 'eth0', 'up')
  }

  /** Only what the firewall lets out reaches the other end. */
  permit(firewall: Firewall): void {
    const rule = (...args: string[]) => ip('-n', this.#namespace, 'rule', ...args)
    rule('flush')
    rule('add', 'pref', '3', 'lookup', 'main')
    if (firewall === 'open') return
    rule('add', 'pref', '2', 'prohibit')
    const permitted = firewall === 'https only' ? ['dport', '443'] : []
    rule('add', 'pref', '1', 'ipproto', 'tcp', ...permitted, 'lookup', 'main')
  }

  async remove(): Promise<void> {
    await Promise.all(this.#programs.map(program => program.kill('SIGKILL')))
    ip('netns', 'delete', this.#namespace) // and the cable with it
    rmSync(this.#etc, { recursive: true, force: true })
  }
}

/** A host for the tests of a file. */
export function useOtherHost(): OtherHost {
  const other = new OtherHost()
  afterAll(() => other.remove())
  return other
}
