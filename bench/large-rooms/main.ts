import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ticket } from '../control/member.ts'
import { Guests } from '../support/guests.ts'
import { startService } from '../support/lectern.ts'
import { busyOf, childrenOf, memoryOf } from '../support/processes.ts'
import { type Program, start } from '../support/program.ts'
import { size } from '../support/size.ts'
import { median } from '../support/statistics.ts'
import { TaskProcess } from '../support/tasks.ts'
import type { Clients, Count } from './clients.ts'

// One room on one media worker and on two, and on one router of bare mediasoup: real WebRTC connections (libdatachannel) and packets. The generator uses more
// CPU time than the workers, so that the room's capacity is derived from CPU time at the same load: the busiest worker
// limits it.

const ROUNDS = size('ROUNDS', 5, 1)
const SECONDS = size('SECONDS', 10, 1)
const VIEWERS = size('VIEWERS', 500, 3)
const PEOPLE = size('PEOPLE', 30, 3)
/** Divides the packet rates of a camera and a microphone, 150 packets per second together. */
const SLOWDOWN = size('SLOWDOWN', 10, 0.1)
const WORKER = 'mediasoup-worke' // the kernel truncates process names
const EVERYTHING_ON_ONE = '1000000'
const SPREAD = '1'

interface Scene {
  name: string
  people: number
  sending: number
}

const scenes: Scene[] = [
  { name: '1 to 1', people: 2, sending: 2 },
  { name: `1 to ${VIEWERS}`, people: VIEWERS + 1, sending: 1 },
  { name: `${PEOPLE} with cameras`, people: PEOPLE, sending: PEOPLE },
]

interface Measured extends Count {
  /** CPU seconds by worker. */
  cpu: number[]
}

interface Server {
  url: string
  program: Program
  invite(people: number): Promise<Ticket[]>
  workers(): number[]
}

/** A server, and the participants of one room. */
class Trial {
  readonly name: string
  readonly rounds: Measured[] = []
  joinMs = 0
  memoryMb = 0
  readonly #server: Server
  readonly #clients = new TaskProcess<Clients>(fileURLToPath(new URL('clients.ts', import.meta.url)))

  private constructor(name: string, server: Server) {
    this.name = name
    this.#server = server
  }

  static async start(name: string, folder: string, consumersPerWorker: string): Promise<Trial> {
    const settings = {
      SVC_MEDIA_WORKERS: '2',
      SVC_MEDIA_CONSUMERS_PER_WORKER: consumersPerWorker,
      SVC_SERVER_LOG_LEVEL: 'error',
    }
    mkdirSync(folder)
    const service = await startService(folder, { settings })
    const { url, program } = service
    const guests = new Guests(service)
    const isWorker = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === WORKER
    const workers = () => childrenOf(program.pid).filter(isWorker)
    return new Trial(name, { url, program, workers, invite: people => guests.invite(people, people) })
  }

  static async startBare(): Promise<Trial> {
    const program = await start([fileURLToPath(new URL('../media/bare.ts', import.meta.url))])
    const { url, workerPid } = JSON.parse(program.line) as { url: string; workerPid: number }
    let rooms = 0
    const invite = async (people: number): Promise<Ticket[]> => {
      const tag = `room-${++rooms}`
      return Array.from({ length: people }, () => ({ tag, token: '' }))
    }
    return new Trial('bare mediasoup', { url, program, workers: () => [workerPid], invite })
  }

  async enter({ people, sending }: Scene): Promise<void> {
    this.rounds.length = 0
    const tickets = await this.#server.invite(people)
    const before = this.#memory()
    const begun = performance.now()
    await this.#clients.run('join', this.#server.url, tickets, sending)
    this.joinMs = (performance.now() - begun) / people
    this.memoryMb = this.#memory() - before
    await this.#clients.run('send', 1, SLOWDOWN)
  }

  async measure(): Promise<void> {
    const before = this.#server.workers().map(busyOf)
    const count = await this.#clients.run('send', SECONDS, SLOWDOWN)
    const cpu = this.#server.workers().map((pid, i) => busyOf(pid) - (before[i] ?? 0))
    this.rounds.push({ ...count, cpu })
  }

  leave = () => this.#clients.run('leave')

  async stop(): Promise<void> {
    this.#clients.stop()
    await this.#server.program.stop()
  }

  #memory = () => this.#server.workers().reduce((sum, pid) => sum + memoryOf(pid), 0)
}

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const trials: Trial[] = []
try {
  trials.push(await Trial.start('one worker', join(folder, 'one'), EVERYTHING_ON_ONE))
  trials.push(await Trial.start('two workers', join(folder, 'two'), SPREAD))
  trials.push(await Trial.startBare())
  for (const scene of scenes) await compare(scene)
} finally {
  await Promise.all(trials.map(trial => trial.stop()))
  rmSync(folder, { recursive: true })
}
process.exit() // libdatachannel leaves threads running

async function compare(scene: Scene) {
  for (const trial of trials) await trial.enter(scene)
  for (let round = 0; round < ROUNDS; round++) for (const trial of trials) await trial.measure()
  console.log(`\n${scene.name}; ${ROUNDS} rounds of ${SECONDS} s, packet rates divided by ${SLOWDOWN}`)
  row(['', 'packets/s', 'arrived', 'µs each, all workers', 'µs each, busiest', 'join, ms', 'memory, MB'])
  const busiest = trials.map(trial => {
    const medianOf = (figure: (measured: Measured) => number) => median(trial.rounds.map(figure))
    const most = medianOf(({ cpu, packets }) => (1e6 * Math.max(...cpu)) / packets)
    row([
      trial.name,
      medianOf(({ packets }) => packets / SECONDS).toFixed(0),
      `${medianOf(({ packets, expected }) => (100 * packets) / expected).toFixed(1)} %`,
      medianOf(({ cpu, packets }) => (1e6 * cpu.reduce((sum, each) => sum + each)) / packets).toFixed(1),
      most.toFixed(1),
      trial.joinMs.toFixed(0),
      trial.memoryMb.toFixed(1),
    ])
    return most
  })
  const [one = 0, two = 0, bare = 0] = busiest
  console.log(`capacity of a room on two workers, relative to one: ${(one / two).toFixed(2)}`)
  const ratios = [one, two].map(each => (bare / each).toFixed(2))
  console.log(`capacity relative to one router of bare mediasoup: ${ratios.join(' on one worker, ')} on two`)
  for (const trial of trials) await trial.leave()
}

function row(cells: string[]) {
  console.log(cells.map((cell, column) => cell.padStart(column === 0 ? 15 : 21)).join(' '))
}
