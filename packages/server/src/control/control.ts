import { Commands } from './commands.ts'
import { Connections } from './connections.ts'
import { Peer } from './peer.ts'
import type { ControlParts, Socket, SocketEvents } from './ports.ts'
import type { V2Parts } from './v2.ts'

/** The control channel: every client that speaks with the server right now, and those that may come back. */
export class Control {
  readonly #parts: V2Parts
  readonly #peers = new Set<Peer>()
  #isDraining = false

  constructor(parts: ControlParts) {
    const connections = new Connections(parts)
    const commands = new Commands(parts)
    this.#parts = { ...parts, connections, commands, isDraining: () => this.#isDraining }
  }

  /** Sockets that are open. */
  get size(): number {
    return this.#peers.size
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Takes care of a new socket, until it is told that the socket is closed. */
  accept(socket: Socket): SocketEvents {
    const peer = new Peer(this.#parts, socket)
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

  /** Whatever is a matter of time. To be called every second. */
  tick(): void {
    for (const peer of this.#peers) peer.tick()
    this.#parts.connections.tick()
    this.#parts.commands.tick()
  }

  /** Sends everybody away, to come back elsewhere or later. Nobody begins anything any more. */
  drain(): void {
    this.#isDraining = true
    for (const peer of this.#peers) peer.drain()
  }
}
