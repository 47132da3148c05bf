import { ensure, Refusal } from '@lectern/protocol'
import { Capacity } from './capacity.ts'
import { Commands } from './commands.ts'
import { Connections } from './connections.ts'
import { Peer } from './peer.ts'
import type { ControlParts, Socket, SocketEvents } from './ports.ts'
import type { V2Parts } from './v2.ts'

/** Of clients that say nothing; those that do are checked then. */
const ACCESS_CHECKS_PER_TICK = 500
const REPORT_EVERY_MS = 60_000

/** The control channel: every client that speaks with the server right now, and those that may come back. */
export class Control {
  readonly #parts: V2Parts
  readonly #peers = new Set<Peer>()
  readonly #capacity: Capacity
  #reportedAtMs = 0
  #isDraining = false

  constructor(parts: ControlParts) {
    const connections = new Connections(parts)
    const commands = new Commands(parts)
    this.#capacity = new Capacity(parts.capacity, parts.clock)
    this.#parts = { ...parts, connections, commands, isDraining: () => this.#isDraining }
  }

  /** Sockets that are open. */
  get size(): number {
    return this.#peers.size
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Throws what another socket from there is to be refused with, so that it need not be opened. */
  ensureRoom(address: string): void {
    ensure(!this.#isDraining, 'temporarily_unavailable', 'The server is about to stop.')
    this.#capacity.ensureRoom(address)
  }

  /** Takes care of a new socket, until it is told that the socket is closed. */
  accept(socket: Socket, address: string): SocketEvents {
    const peer = this.#welcome(socket, address)
    if (!peer) return { received: () => {}, heard: () => {}, closed: () => {} }
    this.#peers.add(peer)
    return {
      received: frame => peer.received(frame),
      heard: () => peer.heard(),
      closed: code => {
        this.#peers.delete(peer)
        peer.closed(code)
      },
    }
  }

  /** Null when there is no room, which the client is told. */
  #welcome(socket: Socket, address: string): Peer | null {
    try {
      return new Peer(this.#parts, this.#capacity, socket, address)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      socket.close(1013, error.code)
      return null
    }
  }

  /** Whatever is a matter of time. To be called every second. */
  tick(): void {
    let checks = 0
    for (const peer of this.#peers) {
      peer.tick()
      if (checks < ACCESS_CHECKS_PER_TICK && peer.checkAccess()) checks += 1
    }
    this.#parts.connections.tick()
    this.#parts.commands.tick()
    this.#reportRefused()
  }

  /** Once a minute, however many there are: behind a proxy that is not trusted everybody has one address. */
  #reportRefused(): void {
    const now = this.#parts.clock()
    if (now - this.#reportedAtMs < REPORT_EVERY_MS) return
    const refused = this.#capacity.takeRefused()
    if (refused === 0) return
    this.#reportedAtMs = now
    this.#parts.log.warn(
      { refused },
      'control connections were refused: see [Limits] and [Server] TrustProxy',
    )
  }

  /** Sends everybody away, to come back elsewhere or later. Nobody begins anything any more. */
  drain(): void {
    this.#isDraining = true
    for (const peer of this.#peers) peer.drain()
  }
}
