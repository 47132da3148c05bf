import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ticket } from '../control/member.ts'
import { Guests } from '../support/guests.ts'
import { startService } from '../support/lectern.ts'
import { busyOf, childrenOf, memoryOf } from '../support/processes.ts'
import { type Program, run, start } from '../support/program.ts'
import { isSmoke } from '../support/size.ts'
import type { ServerName } from './clients.ts'
import { startJanus } from './janus.ts'

const WORKER = 'mediasoup-worke' // the kernel truncates process names
const here = dirname(fileURLToPath(import.meta.url))

interface Parts {
  name: ServerName
  url: string
  program: Program
  /** The process that forwards media. */
  workerPid: number
  invite: (people: number, roomSize: number) => Promise<Ticket[]>
}

/** A media server under test: a worker, and optionally a controlling program. */
export class MediaServer {
  readonly name: ServerName
  readonly url: string
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.name = parts.name
    this.url = parts.url
    this.#parts = parts
  }

  /** Creates unused rooms. */
  async invite(rooms: number, people: number): Promise<Ticket[][]> {
    const tickets = await this.#parts.invite(rooms * people, people)
    return Array.from({ length: rooms }, (_, room) => tickets.slice(room * people, (room + 1) * people))
  }

  /** CPU seconds so far: of the worker, and of all processes. */
  busy() {
    const { program, workerPid } = this.#parts
    const worker = busyOf(workerPid)
    return { worker, all: program.pid === workerPid ? worker : worker + program.busy() }
  }

  /** Memory in MB: of the worker, and of all processes. */
  memory() {
    const { program, workerPid } = this.#parts
    const worker = memoryOf(workerPid)
    return { worker, all: program.pid === workerPid ? worker : worker + program.memory() }
  }

  stop = () => this.#parts.program.stop()
}

let named = 0
const nameRooms = async (people: number, roomSize: number): Promise<Ticket[]> =>
  Array.from({ length: people }, (_, i) => {
    if (i % roomSize === 0) named++
    return { tag: `room-${named}`, token: '' }
  })

/** Makes mediasoup use its own worker. A smoke run does not build it: there it uses Lectern's. */
async function stockWorker(): Promise<Record<string, string>> {
  if (isSmoke) return {}
  const output = await run([join(here, '../../media/stock-worker.ts')])
  return { MEDIASOUP_WORKER_BIN: output.split('\n').at(-1) ?? '' }
}

/** The servers that this machine has. */
export function available(): ServerName[] {
  const hasJanus = !spawnSync('janus', ['--version']).error
  if (!hasJanus) console.log('Without Janus: apt-get install --no-install-recommends janus')
  return ['lectern', 'bare', ...(hasJanus ? (['janus'] as const) : [])]
}

export const starts: Record<ServerName, (folder: string) => Promise<MediaServer>> = {
  async lectern(folder) {
    const service = await startService(folder, {
      settings: { SVC_MEDIA_WORKERS: '1', SVC_SERVER_LOG_LEVEL: 'error' },
    })
    const { url, program } = service
    const workerPid = childrenOf(program.pid).find(
      pid => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === WORKER,
    )
    if (!workerPid) throw new Error('The service has no media worker.')
    const guests = new Guests(service)
    return new MediaServer({ name: 'lectern', url, program, workerPid, invite: guests.invite.bind(guests) })
  },

  async bare() {
    const program = await start([join(here, 'bare.ts')], await stockWorker())
    const { url, workerPid } = JSON.parse(program.line) as { url: string; workerPid: number }
    return new MediaServer({ name: 'bare', url, program, workerPid, invite: nameRooms })
  },

  async janus(folder) {
    const { url, program } = await startJanus(join(folder, 'janus'))
    return new MediaServer({ name: 'janus', url, program, workerPid: program.pid, invite: nameRooms })
  },
}
