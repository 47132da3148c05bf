import { ensure, Refusal } from '@lectern/protocol'
import { Capacity } from './limits/capacity.ts'
import type { ControlParts, Socket, SocketEvents } from './ports.ts'
import { SocketSession } from './socket/socket-session.ts'
import { CommandProcessor } from './v2/command-processor.ts'
import { ConnectionRegistry } from './v2/connection-registry.ts'
import type { V2Parts } from './v2/session.ts'

/** Silent clients that are checked at each tick; others are checked at each frame. */
const ACCESS_CHECKS_PER_TICK = 500
const REPORT_EVERY_MS = 60_000

/** The control channel: every connected client, and those that may reconnect. */
export class ControlServer {
  readonly #parts: V2Parts
  readonly #sockets = new Set<SocketSession>()
  readonly #capacity: Capacity
  #reportedAtMs = 0
  #isDraining = false

  constructor(parts: ControlParts) {
    const connections = new ConnectionRegistry(parts)
    const commands = new CommandProcessor(parts)
    this.#capacity = new Capacity(parts.capacity, parts.monotonicMs)
    this.#parts = { ...parts, connections, commands, isDraining: () => this.#isDraining }
  }

  /** Sockets that are open. */
  get size(): number {
    return this.#sockets.size
  }

  get metrics() {
    return this.#parts.refusedJoins.metrics
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Throws what another socket from there is to be refused with, so that it need not be opened. */
  ensureCapacity(address: string): void {
    ensure(!this.#isDraining, 'temporarily_unavailable', 'The server is about to stop.')
    this.#capacity.ensureCapacity(address)
  }

  /** Serves a new socket until `onClose`. */
  accept(socket: Socket, address: string): SocketEvents {
    const session = this.#open(socket, address)
    if (session) this.#sockets.add(session)
    return session ?? { onFrame: () => {}, onPing: () => {}, onClose: () => {} }
  }

  /** Null when there is no capacity; the socket is closed with the reason. */
  #open(socket: Socket, address: string): SocketSession | null {
    try {
      return new SocketSession(this.#parts, this.#capacity, socket, {
        address,
        onClosed: session => this.#sockets.delete(session),
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      socket.close(1013, error.code)
      return null
    }
  }

  /** Timeouts and periodic checks. MUST be called every second. */
  tick(): void {
    for (const session of this.#sockets) session.tick()
    const version = this.#parts.authenticator.accessVersion()
    if (typeof version === 'number') this.#checkLogins(version)
    else void version.then(read => this.#checkLogins(read))
    this.#parts.connections.tick()
    this.#parts.commands.tick()
    this.#reportRefused()
  }

  #checkLogins(accessVersion: number): void {
    let checks = 0
    for (const session of this.#sockets)
      if (checks < ACCESS_CHECKS_PER_TICK && session.checkLogin(accessVersion)) checks += 1
  }

  /** Once a minute, however many there are: behind a proxy that is not trusted everybody has one address. */
  #reportRefused(): void {
    const now = this.#parts.monotonicMs()
    if (now - this.#reportedAtMs < REPORT_EVERY_MS) return
    const refused = this.#capacity.takeRefused()
    if (refused === 0) return
    this.#reportedAtMs = now
    this.#parts.log.warn(
      { refused },
      'control connections were refused: see [Limits] and [Server] TrustProxy',
    )
  }

  /** The session runs on another server: its participants reconnect there, also those who are away at the moment. */
  closeSession(sessionId: number): void {
    for (const subscriber of this.#parts.streams.sessions.subscribersOf(sessionId)) subscriber.sendElsewhere()
  }

  /** Disconnects these, which reconnect to another server. */
  closeConnections(connectionIds: readonly string[]): void {
    const others = new Set(connectionIds)
    for (const id of connectionIds) {
      const connection = this.#parts.connections.get(id)
      if (connection && others.delete(id)) connection.sendElsewhere()
    }
    if (others.size === 0) return
    for (const session of this.#sockets) if (others.has(session.connectionId)) session.sendElsewhere()
  }

  /** Disconnects everybody, to reconnect elsewhere or later. Nothing new is accepted. */
  drain(): void {
    this.#isDraining = true
    for (const session of this.#sockets) session.drain()
  }

  /** New sockets are welcome again. */
  undrain(): void {
    this.#isDraining = false
  }
}
