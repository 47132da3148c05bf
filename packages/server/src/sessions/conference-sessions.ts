import { Refusal } from '@lectern/protocol'
import { MEDIA_SOURCES, type MediaSource } from '@lectern/protocol/control'
import { Admissions } from './admissions.ts'
import { publishPending } from './chat.ts'
import type { SessionCommand } from './command.ts'
import { assertConditions, type Conditions } from './command.ts'
import { ConnectionResumption } from './connection-resumption.ts'
import { end } from './ending.ts'
import { LobbyService } from './lobby-service.ts'
import { disconnect, enter, type JoinResult, leave, type ParticipantRef, reconnect } from './membership.ts'
import { ParticipantChanges } from './participant-changes.ts'
import { maySend } from './policy.ts'
import type { ConnectedUser, EndReason, SessionRef, TranscriptionOptions } from './ports.ts'
import { assertOrRefuse } from './refusals.ts'
import { resolveRole } from './roles.ts'
import { SessionExecutor } from './session-executor.ts'
import { SessionMaintenance } from './session-maintenance.ts'
import { type RuntimeDependencies, SessionOwnership } from './session-ownership.ts'
import type { SessionRegistry } from './session-registry.ts'
import { SessionReports } from './session-reports.ts'
import { cancelTranscription, requestTranscription } from './transcription.ts'

/**
 * The sessions of conferences: who joins and leaves, the commands of participants, and the parts for everything else that
 * happens to sessions.
 */
export class ConferenceSessions {
  readonly lobby: LobbyService
  readonly reports: SessionReports
  readonly maintenance: SessionMaintenance
  readonly #deps: RuntimeDependencies
  readonly #registry: SessionRegistry
  readonly #admissions: Admissions
  readonly #ownership: SessionOwnership
  readonly #executor: SessionExecutor
  readonly #changes: ParticipantChanges
  readonly #resumption: ConnectionResumption

  constructor(deps: RuntimeDependencies) {
    this.#deps = deps
    this.#registry = deps.registry
    const admissions = new Admissions(deps, deps.registry.getByTag)
    const ownership = new SessionOwnership(deps, admissions)
    const executor = new SessionExecutor(deps, ownership)
    const changes = new ParticipantChanges(deps, executor)
    const parts = { admissions, ownership, executor, changes }
    this.#admissions = admissions
    this.#ownership = ownership
    this.#executor = executor
    this.#changes = changes
    this.#resumption = new ConnectionResumption(deps, parts)
    this.lobby = new LobbyService(deps, executor, admissions)
    this.reports = new SessionReports(deps, executor)
    this.maintenance = new SessionMaintenance(deps, parts)
  }

  /** Restores the sessions that nobody runs. MUST finish before anybody joins. */
  async start(): Promise<void> {
    this.reports.subscribe()
    await this.maintenance.openVacant()
  }

  get size(): { sessions: number; participants: number; waiting: number } {
    const sessions = this.#registry.all
    const participants = sessions.reduce((sum, session) => sum + session.participants.size, 0)
    return { sessions: sessions.length, participants, waiting: this.#admissions.waiting }
  }

  /** Whether this server runs the session now; acquires it if nobody does. Throws `elsewhere`. */
  ensureHere({ tag, sessionId }: SessionRef): Promise<boolean> {
    return this.#executor.run(tag, async () => (await this.#ownership.find(tag))?.id === sessionId)
  }

  /** Ends the open session of the conference, if there is one, and every wait for it. Throws `elsewhere`. */
  end(tag: string, reason: Exclude<EndReason, 'empty'>): Promise<void> {
    return this.#executor.run(tag, async () => {
      const session = await this.#ownership.find(tag)
      if (session) await this.#ownership.settle(session, () => end(this.#deps, session, reason))
      this.#admissions.dismiss(tag, reason)
    })
  }

  /** Throws `conference_not_found`, what the directory throws, or a ConferenceRefusal: a wait reason among them. */
  join(tag: string, person: ConnectedUser, conditions: Conditions = {}): Promise<JoinResult> {
    return this.#executor.run(tag, async () => {
      const open = await this.#executor.findOngoing(tag)
      const entry = await this.#admissions.evaluate(tag, open, person)
      assertConditions(this.#deps, open?.version ?? 0, conditions)
      this.#admissions.assertMayEnter(entry)
      const { conference, user } = entry
      const session = open ?? (await this.#ownership.open(tag))
      session.conference = conference
      const { id, role } = await enter(this.#deps, session, user)
      this.#changes.supersede(id)
      this.#admissions.entered(session, person.userId)
      this.#ownership.reportStart(session, conference)
      if (!open) await this.#admissions.reevaluate(tag)
      const participant = { sessionId: session.id, participantId: id }
      return { conference, participant, role, version: session.version }
    })
  }

  isInside({ sessionId, participantId }: ParticipantRef): boolean {
    return this.#registry.get(sessionId)?.participants.has(participantId) ?? false
  }

  /** False when the participant had left before. */
  leave(ref: ParticipantRef, conditions: Conditions = {}): Promise<boolean> {
    return this.#changes.make(ref, (session, self) => leave(this.#deps, session, self, 'left'), conditions)
  }

  disconnect(ref: ParticipantRef): Promise<boolean> {
    return this.#changes.make(ref, (session, self) => disconnect(this.#deps, session, self))
  }

  /** False when it is too late, or the participant belongs to another account: the client must join again. */
  async reconnect(ref: ParticipantRef, user: Pick<ConnectedUser, 'userId' | 'linkRole'>): Promise<boolean> {
    const session = this.#registry.get(ref.sessionId) ?? this.#registry.getUnsure(ref.sessionId)
    if (session?.participants.get(ref.participantId)?.userId !== user.userId) return false
    return this.#changes.make(ref, (session, self) => {
      const role = resolveRole(session.conference ?? { ownerId: null }, user)
      reconnect(this.#deps, session, self, { role })
    })
  }

  /** See `ConnectionResumption.resume`. */
  resumeConnection(
    connectionId: string,
    personIn: (tag: string) => ConnectedUser,
  ): Promise<(SessionRef & ParticipantRef)[]> {
    return this.#resumption.resume(connectionId, personIn)
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
      const stored = await command.findStored?.(this.#deps, key, command.body)
      if (!stored) throw error
      const session = this.#registry.get(ref.sessionId)
      if (session?.chat.behind)
        await this.#executor.change(session, () => publishPending(this.#deps, session))
      return {
        data: stored as Awaited<Result>,
        version: session && this.isInside(ref) ? session.version : null,
      }
    }
  }

  #executeInside<Body, Result>(
    ref: ParticipantRef,
    { id, body, run, ...conditions }: SessionCommand<Body, Result>,
  ): Promise<{ data: Awaited<Result>; version: number }> {
    const session = this.#registry.find(ref.sessionId)
    assertOrRefuse(session, 'not_inside')
    return this.#executor.change(session, async () => {
      const self = session.participants.get(ref.participantId)
      assertOrRefuse(self, 'not_inside')
      assertConditions(this.#deps, session.version, conditions)
      const data = await run({ deps: this.#deps, session, self, commandId: id }, body)
      if (session.lobby.isStale) await this.#admissions.reevaluate(session.tag)
      return { data, version: session.version }
    })
  }

  /** Throws `not_permitted` when a moderator does not let the participant send this source (rule MOD-4). */
  assertMayPublish({ sessionId, participantId }: ParticipantRef, source: MediaSource): void {
    const session = this.#registry.get(sessionId) ?? this.#registry.getUnsure(sessionId)
    const self = session?.participants.get(participantId)
    assertOrRefuse(session && self, 'not_inside')
    assertOrRefuse(maySend(session, self, source), 'not_permitted')
  }

  /** The same for a publication that is paused. Nobody knows yet what one is that is not announced. */
  assertMayResume(ref: ParticipantRef, publicationId: string): void {
    const known = this.#registry.get(ref.sessionId)?.publications.get(publicationId)
    for (const source of known ? [known.source] : MEDIA_SOURCES) this.assertMayPublish(ref, source)
  }

  /** For administrators, also in a partner's room. False when there is no open session. */
  startTranscription(tag: string, options: TranscriptionOptions): Promise<boolean> {
    return this.#executor.ifOngoing(tag, session => requestTranscription(this.#deps, session, options))
  }

  stopTranscription(tag: string): Promise<boolean> {
    return this.#executor.ifOngoing(tag, session => cancelTranscription(this.#deps, session))
  }
}
