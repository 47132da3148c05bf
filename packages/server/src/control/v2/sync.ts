import type { ControlError, ControlSync, Cursor } from '@lectern/protocol/control'
import { grantFor } from '../../sessions/participants/roles.ts'
import { chargePresence } from '../commands/notifications.ts'
import { PAGE_REPLAY_MAX_BYTES } from '../limits/constants.ts'
import type { ControlParts, Login } from '../ports.ts'
import type { WebSocketTransport } from '../socket/transport.ts'
import type { Stream } from '../streams/stream.ts'
import { type Connection, isPage } from './connection.ts'
import type { ConnectionRegistry } from './connection-registry.ts'
import { ConnectionTakeover } from './connection-takeover.ts'

export type SyncOutcome =
  | { is: 'ready'; connection: Connection; answer: (send: (frame: string) => void) => void }
  | { is: 'resume_rejected' | 'retry_later'; error: ControlError }

const rejected = (error: ControlError): SyncOutcome => ({ is: 'resume_rejected', error })

const TOO_MANY: ControlError = {
  code: 'resource_exhausted',
  message: 'This account has too many connections.',
  retry_after_ms: 30_000,
}

/** Synchronizes a client with its streams (rules ENV-2 and ENV-3; rules Y1 to Y9). */
export class SyncService {
  readonly #parts: ControlParts
  readonly #connections: ConnectionRegistry
  readonly #takeover: ConnectionTakeover

  constructor(parts: ControlParts, connections: ConnectionRegistry) {
    this.#parts = parts
    this.#connections = connections
    this.#takeover = new ConnectionTakeover(parts, connections)
  }

  /** A connection that the server does not know yet. */
  async fresh(sync: ControlSync, login: Login, transport: WebSocketTransport): Promise<SyncOutcome> {
    const connection = this.#connections.add(login, sync.control_instance_id, transport)
    if (!connection) return { is: 'retry_later', error: TOO_MANY }
    await this.#connections.subscribeToAccount(connection)
    return this.#ready(connection, transport, sync)
  }

  /** One that lost its socket, whose server has not noticed that yet, or whose server is gone. */
  async resume(
    sync: Extract<ControlSync, { mode: 'resume' }>,
    login: Login,
    transport: WebSocketTransport,
  ): Promise<SyncOutcome> {
    const known = this.#connections.find(sync, login)
    const connection = known ?? (await this.#takeover.resume(sync, login, transport))
    if (!connection) return rejected({ code: 'resume_rejected' })
    // The same socket has lost nothing, and the same login gives the same role.
    if (!connection.isOn(transport)) {
      // The last of two sockets that come with the same token continues.
      this.#connections.moveTo(transport, connection)
      connection.login = login
      this.#parts.streams.accounts.publishName(login.user)
      await this.#rejoin(connection)
    }
    return this.#ready(connection, transport, sync)
  }

  /** Repeats the state of a live connection; its generation and its token stay. */
  resync(
    sync: Extract<ControlSync, { mode: 'resync' }>,
    connection: Connection | null,
    transport: WebSocketTransport,
  ): SyncOutcome {
    if (!connection?.isCurrent(sync.binding)) return rejected({ code: 'stale_binding' })
    return this.#ready(connection, transport, sync)
  }

  /** Reconnects the participants, with the role that this login gives. */
  async #rejoin(connection: Connection): Promise<void> {
    const { user, admission } = connection.login
    chargePresence(this.#parts, connection)
    for (const { tag, participant, kind } of [...connection.memberships.values()]) {
      if (kind === 'observer') continue
      const linkRole = grantFor(admission, tag)?.role ?? null
      await this.#parts.participants.reconnect(participant, { userId: user.id, linkRole })
    }
  }

  /** The cursors and the events after them belong to one moment, so that the answer is composed when it is sent. */
  #ready(connection: Connection, transport: WebSocketTransport, sync: ControlSync): SyncOutcome {
    const answer = (send: (frame: string) => void) => {
      if (sync.mode === 'fresh') connection.activate(transport, null)
      if (sync.mode === 'resume') connection.activate(transport, sync.resume.resume_token)
      connection.requestId = sync.request_id
      const streams = this.#subscriptionsSince(connection, sync)
      const { binding, resumeToken } = connection
      const result = {
        request_id: sync.request_id,
        status: 'ready',
        binding,
        resume_token: resumeToken,
        streams: streams.map(({ cursor }) => cursor),
      }
      send(JSON.stringify({ control_sync_result: result }))
      for (const { stream, missed } of streams)
        if (!missed) connection.sendSnapshot(stream)
        else for (const encoded of missed) connection.onEvent({ encoded })
    }
    return { is: 'ready', connection, answer }
  }

  /** The streams of the connection, each with what the client missed of it; null: it needs the whole state. */
  #subscriptionsSince(connection: Connection, { cursors, mode }: ControlSync) {
    let replayed = 0
    const found: { stream: Stream; cursor: Cursor; missed: string[] | null }[] = []
    for (const { stream, until } of [...connection.subscriptions.values()]) {
      const end = until ?? stream.seq
      const cursor = cursors.find(({ stream_id }) => stream_id === stream.id)
      const missed = missedSince(stream, cursor, end)
      // A stream that has ended has no state: its missed events are replayed completely or not at all.
      if (until !== null) connection.subscriptions.delete(stream.id)
      if (until !== null && !missed) continue
      const whole = mode === 'resync' && until === null && missed?.length !== 0
      if (isPage(stream)) {
        replayed += missed?.reduce((sum, { length }) => sum + length, 0) ?? 0
        // All snapshots at once would be too much to send: the client watches the page again (rule BOARD-7).
        if (whole || !missed || replayed > PAGE_REPLAY_MAX_BYTES) {
          connection.unwatch(stream)
          continue
        }
      }
      found.push({
        stream,
        cursor: { stream_id: stream.id, stream_epoch: stream.epoch, seq: String(end) },
        missed: whole ? null : missed,
      })
    }
    return found
  }
}

function missedSince(stream: Stream, cursor: Cursor | undefined, end: number): string[] | null {
  if (cursor?.stream_epoch !== stream.epoch) return null
  const seq = Number(cursor.seq)
  return Number.isSafeInteger(seq) ? stream.since(seq, end) : null
}
