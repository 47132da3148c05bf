import { Refusal } from '@lectern/protocol'
import { MEDIA_SOURCES, type MediaSource, type WaitReason } from '@lectern/protocol/control'
import { publishPending } from '../chat.ts'
import { assertConditions, type Conditions, type SessionCommand } from '../command.ts'
import type { ConferenceSessions, RuntimeParts } from '../conference-sessions.ts'
import type { Admissions } from '../lobby/admissions.ts'
import { maySend } from '../policy.ts'
import type { ConnectedUser, SessionRef } from '../ports.ts'
import { assertOrRefuse, unlessLost } from '../refusals.ts'
import type { Participant, Session } from '../session.ts'
import {
  disconnect,
  endMemberships,
  enter,
  type JoinResult,
  leave,
  type ParticipantRef,
  reconnect,
} from './membership.ts'
import { resolveRole } from './roles.ts'

type ParticipantChange = (session: Session, self: Participant) => unknown

/**
 * People of conferences, as connections use them: they wait, join, execute commands and leave; connections are lost and
 * come back.
 *
 * Changes that arrive while it is uncertain whether this server still holds the lease of their session are postponed
 * until it is certain: people whose connection was lost, or who left, would stay inside otherwise. The last change of
 * each participant counts.
 */
export class Participants {
  readonly #parts: RuntimeParts
  readonly #conferences: ConferenceSessions
  readonly #admissions: Admissions
  /** By participant. */
  readonly #postponed = new Map<string, { ref: ParticipantRef; change: ParticipantChange }>()

  constructor(parts: RuntimeParts, conferences: ConferenceSessions, admissions: Admissions) {
    this.#parts = parts
    this.#conferences = conferences
    this.#admissions = admissions
  }

  /** Throws `conference_not_found`, what the directory throws, or a ConferenceRefusal: a wait reason among them. */
  join(tag: string, person: ConnectedUser, conditions: Conditions = {}): Promise<JoinResult> {
    const [sessions, admissions] = [this.#conferences, this.#admissions]
    return sessions.run(tag, async () => {
      const open = await sessions.findOngoing(tag)
      const entry = await admissions.evaluate(tag, open, person)
      assertConditions(this.#parts, open?.version ?? 0, conditions)
      admissions.assertMayEnter(entry)
      const { conference, user } = entry
      const session = open ?? (await sessions.open(tag))
      session.conference = conference
      const { id, role } = await enter(this.#parts, session, user)
      this.#postponed.delete(id)
      admissions.entered(session, person.userId)
      sessions.reportStart(session, conference)
      if (!open) await admissions.reevaluate(tag)
      const participant = { sessionId: session.id, participantId: id }
      return { conference, participant, role, version: session.version }
    })
  }

  /** Returns why the account now waits, or null when it can join at once. Throws what `join` throws. */
  enterLobby(tag: string, person: ConnectedUser, conditions: Conditions = {}): Promise<WaitReason | null> {
    return this.#conferences.run(tag, async () => {
      const session = await this.#conferences.findOngoing(tag)
      const entry = await this.#admissions.evaluate(tag, session, person)
      assertConditions(this.#parts, session?.version ?? 0, conditions)
      return this.#admissions.wait(entry)
    })
  }

  leaveLobby(tag: string, connectionId: string): Promise<void> {
    return this.#conferences.run(tag, () => this.#admissions.leave(tag, connectionId))
  }

  /** MUST be called when the connection has ended. */
  async leaveLobbies(connectionId: string): Promise<void> {
    const tags = this.#admissions.tagsOf(connectionId)
    await Promise.all(tags.map(tag => this.leaveLobby(tag, connectionId)))
  }

  /** Ends the membership of an account whose link was withdrawn: it must not enter without a link. Throws `elsewhere`. */
  async endMembership(tag: string, userId: number): Promise<void> {
    await this.#conferences.ifOngoing(tag, session =>
      endMemberships(this.#parts, session, id => id === userId),
    )
  }

  isInside({ sessionId, participantId }: ParticipantRef): boolean {
    return this.#parts.registry.get(sessionId)?.participants.has(participantId) ?? false
  }

  /** False when the participant had left before. */
  leave(ref: ParticipantRef, conditions: Conditions = {}): Promise<boolean> {
    return this.#change(ref, (session, self) => leave(this.#parts, session, self, 'left'), conditions)
  }

  disconnect(ref: ParticipantRef): Promise<boolean> {
    return this.#change(ref, (session, self) => disconnect(this.#parts, session, self))
  }

  /** False when it is too late, or the participant belongs to another account: the client must join again. */
  async reconnect(ref: ParticipantRef, user: Pick<ConnectedUser, 'userId' | 'linkRole'>): Promise<boolean> {
    if (this.#findHere(ref)?.self.userId !== user.userId) return false
    return this.#change(ref, (session, self) => {
      const role = resolveRole(session.conference ?? { ownerId: null }, user)
      reconnect(this.#parts, session, self, { role })
    })
  }

  /**
   * The participants of a connection whose server is gone, connected again here with the roles that they have now. Empty
   * unless they are all here and could still enter: then the client joins again. Throws `elsewhere`.
   */
  async resumeConnection(
    connectionId: string,
    personIn: (tag: string) => ConnectedUser,
  ): Promise<(SessionRef & ParticipantRef)[]> {
    const stored = await this.#parts.participants.findByConnection(connectionId)
    const resumed: typeof stored = []
    try {
      for (const each of stored) if (await this.#resume(each, personIn(each.tag))) resumed.push(each)
    } finally {
      if (resumed.length < stored.length) for (const each of resumed.splice(0)) await this.disconnect(each)
    }
    return resumed
  }

  /**
   * Executes a command of a participant. A refused repetition of a command that was stored gets the stored result; its
   * version is null for an account that is not inside.
   */
  async execute<Body, Result>(
    ref: ParticipantRef,
    command: SessionCommand<Body, Result>,
  ): Promise<{ data: Awaited<Result>; version: number | null }> {
    try {
      return await this.#executeInside(ref, command)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const key = { sessionId: ref.sessionId, userId: command.userId, commandId: command.id }
      const stored = await command.findStored?.(this.#parts, key, command.body)
      if (!stored) throw error
      const session = this.#parts.registry.get(ref.sessionId)
      if (session?.chat.behind)
        await this.#conferences.change(session, () => publishPending(this.#parts, session))
      return {
        data: stored as Awaited<Result>,
        version: session && this.isInside(ref) ? session.version : null,
      }
    }
  }

  /** Throws `not_permitted` when a moderator does not let the participant send this source (rule MOD-4). */
  assertMayPublish(ref: ParticipantRef, source: MediaSource): void {
    const found = this.#findHere(ref)
    assertOrRefuse(found, 'not_inside')
    assertOrRefuse(maySend(found.session, found.self, source), 'not_permitted')
  }

  /** The same for a paused publication. One that is not announced yet may be of any source. */
  assertMayResume(ref: ParticipantRef, publicationId: string): void {
    const known = this.#findHere(ref)?.session.publications.get(publicationId)
    for (const source of known ? [known.source] : MEDIA_SOURCES) this.assertMayPublish(ref, source)
  }

  /** Makes the postponed changes of the sessions that are not uncertain any more. */
  async makePostponed(): Promise<void> {
    const due = [...this.#postponed.values()].filter(
      ({ ref }) => !this.#parts.registry.getUnsure(ref.sessionId),
    )
    for (const { ref } of due) this.#postponed.delete(ref.participantId)
    await Promise.all(due.map(({ ref, change }) => this.#change(ref, change).catch(unlessLost)))
  }

  /** Also while it is uncertain whether this server still holds the lease. */
  #findHere({ sessionId, participantId }: ParticipantRef): { session: Session; self: Participant } | null {
    const session = this.#parts.registry.get(sessionId) ?? this.#parts.registry.getUnsure(sessionId)
    const self = session?.participants.get(participantId)
    return session && self ? { session, self } : null
  }

  /**
   * False when the participant is not inside. The conditions do not count for a change that is postponed: its connection
   * does not exist any more.
   */
  async #change(
    ref: ParticipantRef,
    change: ParticipantChange,
    conditions: Conditions = {},
  ): Promise<boolean> {
    const session = this.#parts.registry.get(ref.sessionId)
    if (!session) {
      const isInside = this.#findHere(ref) !== null
      if (isInside) this.#postponed.set(ref.participantId, { ref, change })
      return isInside
    }
    this.#postponed.delete(ref.participantId)
    return this.#conferences.change(session, async () => {
      const self = session.participants.get(ref.participantId)
      if (!self) return false
      assertConditions(this.#parts, session.version, conditions)
      await change(session, self)
      return true
    })
  }

  #resume(
    { tag, sessionId, participantId }: SessionRef & ParticipantRef,
    person: ConnectedUser,
  ): Promise<boolean> {
    return this.#conferences.run(tag, async () => {
      const session = await this.#conferences.findOngoing(tag)
      const self = session?.id === sessionId ? session.participants.get(participantId) : undefined
      if (!session || self?.userId !== person.userId || self.connectionId !== person.connectionId)
        return false
      const entry = await this.#admissions.findEntry(tag, session, person)
      if (!entry) return false
      session.conference = entry.conference
      this.#postponed.delete(participantId)
      reconnect(this.#parts, session, self, entry.user)
      this.#conferences.reportStart(session, entry.conference)
      return true
    })
  }

  #executeInside<Body, Result>(
    ref: ParticipantRef,
    { id, body, run, ...conditions }: SessionCommand<Body, Result>,
  ): Promise<{ data: Awaited<Result>; version: number }> {
    const session = this.#parts.registry.find(ref.sessionId)
    assertOrRefuse(session, 'not_inside')
    return this.#conferences.change(session, async () => {
      const self = session.participants.get(ref.participantId)
      assertOrRefuse(self, 'not_inside')
      assertConditions(this.#parts, session.version, conditions)
      const data = await run({ parts: this.#parts, session, self, commandId: id }, body)
      if (session.lobby.isStale) await this.#admissions.reevaluate(session.tag)
      return { data, version: session.version }
    })
  }
}
