import { fileURLToPath } from 'node:url'
import { TaskProcess } from '../support/tasks.ts'
import type { Clients, Count } from './clients.ts'
import type { MediaServer } from './servers.ts'

export interface Measured extends Count {
  /** CPU seconds of the worker, and of all processes. */
  worker: number
  all: number
}

/** A server and its participants. */
export class Trial {
  readonly server: MediaServer
  readonly #clients = new TaskProcess<Clients>(fileURLToPath(new URL('clients.ts', import.meta.url)))

  constructor(server: MediaServer) {
    this.server = server
  }

  async enter(rooms: number, people: number): Promise<void> {
    const tickets = await this.server.invite(rooms, people)
    await this.#clients.run('join', this.server.name, this.server.url, tickets)
  }

  /** `slowdown` divides the packet rate. */
  async send(seconds: number, slowdown = 1): Promise<Measured> {
    const before = this.server.busy()
    const count = await this.#clients.run('send', seconds, slowdown)
    const { worker, all } = this.server.busy()
    return { ...count, worker: worker - before.worker, all: all - before.all }
  }

  leave = () => this.#clients.run('leave')

  async stop(): Promise<void> {
    this.#clients.stop()
    await this.server.stop()
  }
}
