import { readFileSync } from 'node:fs'
import { busyBelow, busyOf, childrenOf } from '../support/processes.ts'

const SAMPLE_MS = 50

interface StepTime {
  command: string
  /** Seconds. */
  cpu: number
}

/** The CPU time of the programs that the preparation runs, by samples: of a program that ends, the last moments are missing. */
export class StepTimes {
  readonly #root: number
  readonly #timer: ReturnType<typeof setInterval>
  readonly #busy = new Map<number, StepTime>()
  #total = 0

  /** @param root the process whose descendants are measured */
  constructor(root: number) {
    this.#root = root
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS)
  }

  /** Programs of one command together, the dearest first. */
  end(): { total: number; steps: StepTime[] } {
    clearInterval(this.#timer)
    this.#sample()
    const sums = new Map<string, number>()
    for (const { command, cpu } of this.#busy.values()) sums.set(command, (sums.get(command) ?? 0) + cpu)
    const steps = [...sums].map(([command, cpu]) => ({ command, cpu })).sort((a, b) => b.cpu - a.cpu)
    return { total: this.#total, steps }
  }

  #sample(): void {
    try {
      this.#total = Math.max(this.#total, busyBelow(this.#root))
    } catch {
      // A process has ended meanwhile.
    }
    for (const setup of descendantsOf(this.#root).filter(pid =>
      /^\S*node\s.*setup\/start\.mjs/.test(commandOf(pid)),
    ))
      this.#sampleSetup(setup)
  }

  #sampleSetup(setup: number): void {
    this.#record(setup, 'setup itself, with the bundler', busyOf)
    for (const child of orNone(() => childrenOf(setup)))
      this.#record(child, shortened(commandOf(child)), busyBelow)
  }

  #record(pid: number, command: string, measure: (pid: number) => number): void {
    try {
      this.#busy.set(pid, { command: command || (this.#busy.get(pid)?.command ?? ''), cpu: measure(pid) })
    } catch {
      // It has ended meanwhile.
    }
  }
}

const descendantsOf = (pid: number): number[] =>
  orNone(() => childrenOf(pid)).flatMap(child => [child, ...descendantsOf(child)])

function orNone<T>(list: () => T[]): T[] {
  try {
    return list()
  } catch {
    return [] // it has ended meanwhile
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}

/** The program and its first argument that is no option: "npm install", "g++". */
function shortened(command: string): string {
  const words = command.split(' ').map(word => word.split('/').at(-1) ?? '')
  const [program = '', ...args] = words.filter(word => !['node', 'nice', 'sh', '-c'].includes(word))
  const verb = args.find(arg => /^[a-z][a-z-]*$/.test(arg))
  return /g\+\+|cc/.test(program) || !verb ? program : `${program} ${verb}`
}
