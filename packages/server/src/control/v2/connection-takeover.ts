import { Refusal } from '@lectern/protocol'
import type { ControlSync } from '@lectern/protocol/control'
import type { ParticipantRef } from '../../sessions/participants/membership.ts'
import type { SessionRef } from '../../sessions/ports.ts'
import { connectedUserOf } from '../commands/conference.ts'
import { chargePresence } from '../commands/notifications.ts'
import type { ControlParts, Login } from '../ports.ts'
import type { WebSocketTransport } from '../socket/transport.ts'
import type { Connection } from './connection.ts'
import type { ConnectionRegistry } from './connection-registry.ts'

type ResumeSync = Extract<ControlSync, { mode: 'resume' }>

/** Connections of servers that have failed, or have handed their sessions over, continue here (rules Y13 to Y15). */
export class ConnectionTakeover {
  readonly #parts: ControlParts
  readonly #connections: ConnectionRegistry

  constructor(parts: ControlParts, connections: ConnectionRegistry) {
    this.#parts = parts
    this.#connections = connections
  }

  /**
   * Null when the token is not genuine, or the account has lost its place: it joins again. Throws `elsewhere` when another
   * server runs a session of the connection.
   */
  async resume(sync: ResumeSync, login: Login, transport: WebSocketTransport): Promise<Connection | null> {
    const { control_instance_id: instanceId, resume } = sync
    const { binding, resume_token } = resume
    const subject = { userId: login.user.id, instanceId, binding }
    if (!this.#parts.resumeTokens.isGenuine(resume_token, subject)) return null
    // The first of several sockets that come with one token restores the connection, and the others find it.
    return this.#connections.restoring.run(binding.logical_connection_id, () =>
      this.#connections.get(binding.logical_connection_id)
        ? this.#connections.find(sync, login)
        : this.#resume(sync, login, transport),
    )
  }

  async #resume(sync: ResumeSync, login: Login, transport: WebSocketTransport): Promise<Connection | null> {
    const id = sync.resume.binding.logical_connection_id
    const personIn = (tag: string) => connectedUserOf({ id, login, isResumable: true }, tag, undefined)
    const resumed = await this.#parts.participants.resumeConnection(id, personIn)
    if (resumed.length === 0) return null
    return this.#restore(sync, login, transport, resumed)
  }

  async #restore(
    sync: ResumeSync,
    login: Login,
    transport: WebSocketTransport,
    resumed: (SessionRef & ParticipantRef)[],
  ): Promise<Connection | null> {
    const { streams, participants } = this.#parts
    const { control_instance_id, resume } = sync
    const connection = this.#connections.add(login, control_instance_id, transport, resume)
    if (!connection) {
      await Promise.all(resumed.map(each => participants.disconnect(each)))
      throw new Refusal('temporarily_unavailable', 'This account has too many connections.')
    }
    try {
      await this.#connections.subscribeToAccount(connection)
    } catch (error) {
      // Nobody would notice that the client does not come back.
      await Promise.all(resumed.map(each => participants.disconnect(each)))
      throw error
    }
    // Replaced by a fresh sync meanwhile (rule Y1).
    if (connection.isOver) await Promise.all(resumed.map(each => participants.leave(each)))
    else if (!resumed.every(each => participants.isInside(each))) {
      // A session was lost or has ended meanwhile. The client would not learn that it is not inside any more: it gets
      // the answer of a resume that comes now.
      this.#connections.end(connection)
      await Promise.all(resumed.map(each => participants.disconnect(each)))
      return this.#resume(sync, login, transport)
    }
    for (const { tag, ...participant } of resumed)
      if (participants.isInside(participant))
        connection.enter(
          { tag, participant, kind: 'participant' },
          streams.sessions.open(participant.sessionId),
        )
    chargePresence(this.#parts, connection)
    connection.resumeToken = resume.resume_token
    return connection
  }
}
