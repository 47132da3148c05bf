import { KeyedMutex } from '@lectern/common'
import type { ControlSync } from '@lectern/protocol/control'
import { chargePresence } from '../commands/notifications.ts'
import { closeObserverMedia } from '../commands/observers.ts'
import { connectionsOf } from '../limits/capacity.ts'
import { resumeGraceMs } from '../limits/constants.ts'
import type { ControlParts, Login } from '../ports.ts'
import type { WebSocketTransport } from '../socket/transport.ts'
import { Connection, type Resume } from './connection.ts'

/** Every v2 connection, including those whose client may reconnect. */
export class ConnectionRegistry {
  readonly #parts: ControlParts
  readonly #byId = new Map<string, Connection>()
  readonly #ofUser = new Map<number, Set<Connection>>()
  /** By connection; a connection of a former server is restored once. */
  readonly restoring = new KeyedMutex()

  constructor(parts: ControlParts) {
    this.#parts = parts
  }

  get all(): Iterable<Connection> {
    return this.#byId.values()
  }

  get size(): number {
    return this.#byId.size
  }

  get(connectionId: string): Connection | undefined {
    return this.#byId.get(connectionId)
  }

  /** Null when the account has too many connections. `resumed`: one of a former server. Ends the previous connection of the same instance (rule Y1). */
  add(login: Login, instanceId: string, transport: WebSocketTransport, resumed?: Resume): Connection | null {
    const others = this.#ofUser.get(login.user.id) ?? new Set()
    for (const other of others)
      if (other.instanceId === instanceId) {
        supersede(other, transport)
        this.end(other)
      }
    if (others.size >= connectionsOf(login.user.kind, this.#parts.capacity.perAccount)) return null
    const parts = { ...this.#parts, end: (connection: Connection) => this.end(connection) }
    const connection = new Connection(parts, { instanceId, login, transport }, resumed)
    this.#byId.set(connection.id, connection)
    this.#ofUser.set(login.user.id, others.add(connection))
    this.#parts.messaging.presence.connected(login.user, connection.id)
    return connection
  }

  /** Ends the connection if that fails. */
  async subscribeToAccount(connection: Connection): Promise<void> {
    const { streams } = this.#parts
    try {
      const stream = await streams.accounts.subscribe(connection.login.user, connection.id, connection)
      if (connection.isOver) streams.unsubscribe(stream, connection.id)
      else connection.subscribe(stream, connection.id)
    } catch (error) {
      this.end(connection)
      throw error
    }
  }

  /** The connection that a resume names, if it proves to be its own (rules Y5 and Y12). */
  find(sync: Extract<ControlSync, { mode: 'resume' }>, login: Login): Connection | null {
    const { control_instance_id, resume } = sync
    const connection = this.#byId.get(resume.binding.logical_connection_id)
    if (connection?.instanceId !== control_instance_id) return null
    if (connection.login.user.id !== login.user.id) return null
    return connection.canResume(resume) ? connection : null
  }

  /** Moves the connection to another socket; the previous one is closed (rule Y11). */
  moveTo(transport: WebSocketTransport, connection: Connection): void {
    supersede(connection, transport)
    connection.state = { is: 'resuming', transport }
    this.#parts.messaging.presence.connected(connection.login.user, connection.id)
  }

  /** The socket is gone. Others see the person as away until they are back. */
  disconnected(connection: Connection, transport: WebSocketTransport): void {
    if (!connection.isOn(transport)) return
    connection.state = { is: 'away', sinceMs: this.#parts.monotonicMs() }
    const { id: userId } = connection.login.user
    this.#parts.messaging.presence.disconnected(userId, connection.id)
    if (transport.hasVanished) this.#parts.messaging.onVanished(userId)
    chargePresence(this.#parts, connection)
    for (const { participant } of connection.memberships.values())
      this.#logFailure(this.#parts.participants.disconnect(participant))
  }

  /** Ends the connection for good: it leaves its conferences at once. */
  end(connection: Connection): void {
    connection.abandonCommands()
    chargePresence(this.#parts, connection)
    for (const { participant } of connection.memberships.values())
      this.#logFailure(this.#parts.participants.leave(participant))
    this.#remove(connection)
  }

  #remove(connection: Connection): void {
    if (connection.isOver) return
    connection.state = { is: 'over' }
    this.#parts.messaging.presence.ended(connection.login.user.id, connection.id)
    // After a detachment another subscriber may have its key.
    for (const { stream, key, until } of connection.subscriptions.values())
      if (until === null) this.#parts.streams.unsubscribe(stream, key)
    closeObserverMedia(this.#parts, connection.memberships.values())
    this.#logFailure(this.#parts.participants.leaveLobbies(connection.id))
    connection.memberships.clear()
    connection.subscriptions.clear()
    this.#byId.delete(connection.id)
    const others = this.#ofUser.get(connection.login.user.id)
    others?.delete(connection)
    if (others?.size === 0) this.#ofUser.delete(connection.login.user.id)
  }

  /**
   * Ends connections that were not resumed in time; their participants leave as lost (rule M5). MUST be called about every
   * second or so.
   */
  tick(): void {
    const deadline = this.#parts.monotonicMs() - resumeGraceMs(this.#parts.graceMs)
    for (const connection of this.#byId.values())
      if (connection.state.is === 'away' && connection.state.sinceMs <= deadline) this.#remove(connection)
  }

  /** Nobody awaits this; the sweep of the conferences retries what fails. */
  #logFailure(work: Promise<unknown>): void {
    work.catch(error =>
      this.#parts.log.warn(
        { err: error },
        'a conference was not notified of a lost connection: the participant may seem present',
      ),
    )
  }
}

/** Closes the socket that the client has replaced (rule Y11). */
function supersede({ state: link }: Connection, by: WebSocketTransport): void {
  if ('transport' in link && link.transport !== by) link.transport.close(4409, 'superseded')
}
