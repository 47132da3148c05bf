import type { Admissions } from './admissions.ts'
import { disconnect, type ParticipantRef, reconnect } from './membership.ts'
import type { ParticipantChanges } from './participant-changes.ts'
import type { ConnectedUser, SessionRef } from './ports.ts'
import type { SessionExecutor } from './session-executor.ts'
import type { RuntimeDependencies, SessionOwnership } from './session-ownership.ts'

interface Parts {
  executor: SessionExecutor
  ownership: SessionOwnership
  admissions: Admissions
  changes: ParticipantChanges
}

/** Connections whose server is gone: their participants continue on this server. */
export class ConnectionResumption {
  readonly #deps: RuntimeDependencies
  readonly #parts: Parts

  constructor(deps: RuntimeDependencies, parts: Parts) {
    this.#deps = deps
    this.#parts = parts
  }

  /**
   * The participants of the connection, connected again here with the roles that they have now. Empty unless they are all
   * here and could still enter: then the client joins again. Throws `elsewhere`.
   */
  async resume(
    connectionId: string,
    personIn: (tag: string) => ConnectedUser,
  ): Promise<(SessionRef & ParticipantRef)[]> {
    const stored = await this.#deps.participants.findByConnection(connectionId)
    const resumed: typeof stored = []
    try {
      for (const each of stored) if (await this.#resumeIn(each, personIn(each.tag))) resumed.push(each)
    } finally {
      if (resumed.length < stored.length) for (const each of resumed.splice(0)) await this.#disconnect(each)
    }
    return resumed
  }

  #disconnect(ref: ParticipantRef): Promise<boolean> {
    return this.#parts.changes.make(ref, (session, self) => disconnect(this.#deps, session, self))
  }

  #resumeIn(
    { tag, sessionId, participantId }: SessionRef & ParticipantRef,
    person: ConnectedUser,
  ): Promise<boolean> {
    const { executor, ownership, admissions, changes } = this.#parts
    return executor.run(tag, async () => {
      const session = await executor.findOngoing(tag)
      const self = session?.id === sessionId ? session.participants.get(participantId) : undefined
      if (!session || self?.userId !== person.userId || self.connectionId !== person.connectionId)
        return false
      const entry = await admissions.findEntry(tag, session, person)
      if (!entry) return false
      session.conference = entry.conference
      changes.supersede(participantId)
      reconnect(this.#deps, session, self, entry.user)
      ownership.reportStart(session, entry.conference)
      return true
    })
  }
}
