import { KeyedMutex } from '@lectern/common'
import { Refusal } from '@lectern/protocol'
import type { MediaSource, Phrase, WaitReason } from '@lectern/protocol/control'
import { Admissions } from './admissions.ts'
import { addUnpublished, applyChange, publishAdded, publishPending, verifyChat } from './chat.ts'
import type { SessionCommand } from './command.ts'
import { assertConditions, type Conditions } from './command.ts'
import type { SessionEventBus } from './domain-events.ts'
import { end, isDue, sweep } from './ending.ts'
import { isEnding } from './lifecycle.ts'
import { disconnect, enter, type JoinResult, leave, type ParticipantRef, reconnect } from './membership.ts'
import { maySend } from './policy.ts'
import type {
  ChatNotice,
  Conference,
  ConnectedUser,
  EndReason,
  MediaEvent,
  SessionDependencies,
  SessionRef,
  TranscriptionOptions,
} from './ports.ts'
import { type ParticipantChange, PostponedChanges } from './postponed-changes.ts'
import { applyMediaEvent } from './publications.ts'
import { setRecording } from './recording.ts'
import { assertOrRefuse, LeaseLost } from './refusals.ts'
import { resolveRole } from './roles.ts'
import { type Session, toOwnSession } from './session.ts'
import { SessionOwnership } from './session-ownership.ts'
import type { SessionRegistry } from './session-registry.ts'
import { addPhrases, cancelTranscription, requestTranscription, setTranscription } from './transcription.ts'

interface Dependencies extends SessionDependencies {
  registry: SessionRegistry
  domainEvents: SessionEventBus
}

/**
 * Everything that happens to the sessions of conferences: who joins and leaves, and the commands of participants. All
 * work on one conference runs in sequence.
 */
export class ConferenceSessions {
  readonly #deps: Dependencies
  readonly #registry: SessionRegistry
  readonly #mutex = new KeyedMutex()
  readonly #admissions: Admissions
  readonly #ownership: SessionOwnership
  readonly #postponed = new PostponedChanges()
  #openingVacant: Promise<unknown> = Promise.resolve()

  constructor(deps: Dependencies) {
    this.#deps = deps
    this.#registry = deps.registry
    this.#admissions = new Admissions(deps, deps.registry.getByTag)
    this.#ownership = new SessionOwnership(deps, this.#admissions)
  }

  /** Restores the sessions that nobody runs. MUST finish before anybody joins. */
  async start(): Promise<void> {
    const { domainEvents } = this.#deps
    domainEvents.subscribe('media-changed', ({ sessionId, event }) => this.applyMediaEvent(sessionId, event))
    domainEvents.subscribe('job-activity-reported', ({ sessionId, kind, isActive }) =>
      kind === 'recording'
        ? this.setRecording(sessionId, isActive)
        : this.setTranscription(sessionId, isActive),
    )
    await this.#openVacant()
  }

  /** Ends what is due, renews the leases and runs what nobody runs. MUST be called about every second, which also retries failures. */
  async sweep(): Promise<void> {
    const due = this.#registry.held.filter(session => isDue(this.#deps, session))
    await Promise.all([
      ...due.map(session =>
        this.#change(session, () => sweep(this.#deps, session))
          .catch(unlessLost)
          .catch(naming(session)),
      ),
      ...this.#admissions.due().map(tag => this.#mutex.run(tag, () => this.#admissions.sweep(tag))),
      ...this.#admissions
        .withoutSession()
        .map(tag => this.#mutex.run(tag, () => this.#ownership.checkWaiters(tag))),
      this.#renewLeases().then(() => Promise.all([this.#changePostponed(), this.#openVacant()])),
    ])
  }

  /**
   * Hands all sessions over to other servers: what runs is finished first, then nothing begins any more. Their clients
   * connect again.
   */
  async handOver(): Promise<void> {
    this.#ownership.stop()
    await this.#openingVacant // or this server would acquire again what it gives up
    const sessions = this.#registry.all
    await Promise.all(
      sessions.map(session => this.#mutex.run(session.tag, () => this.#ownership.lose(session))),
    )
    await this.#registry.releaseAll()
  }

  /** Takes part again after `handOver`. */
  async resume(): Promise<void> {
    await this.#registry.resumeLeases()
    this.#ownership.resume()
  }

  /** Whether this server opens no session any more. */
  get isHandedOver(): boolean {
    return this.#ownership.isStopped
  }

  get size(): { sessions: number; participants: number; waiting: number } {
    const sessions = this.#registry.all
    const participants = sessions.reduce((sum, session) => sum + session.participants.size, 0)
    return { sessions: sessions.length, participants, waiting: this.#admissions.waiting }
  }

  /** Whether this server runs the session now; acquires it if nobody does. Throws `elsewhere`. */
  ensureHere({ tag, sessionId }: SessionRef): Promise<boolean> {
    return this.#mutex.run(tag, async () => (await this.#ownership.find(tag))?.id === sessionId)
  }

  /** Ends the open session of the conference, if there is one, and every wait for it. Throws `elsewhere`. */
  end(tag: string, reason: Exclude<EndReason, 'empty'>): Promise<void> {
    return this.#mutex.run(tag, async () => {
      const session = await this.#ownership.find(tag)
      if (session) await this.#ownership.settle(session, () => end(this.#deps, session, reason))
      this.#admissions.dismiss(tag, reason)
    })
  }

  /** Throws `conference_not_found`, what the directory throws, or a ConferenceRefusal: a wait reason among them. */
  join(tag: string, person: ConnectedUser, conditions: Conditions = {}): Promise<JoinResult> {
    return this.#mutex.run(tag, async () => {
      const open = await this.#findOngoing(tag)
      const entry = await this.#admissions.evaluate(tag, open, person)
      assertConditions(this.#deps, open?.version ?? 0, conditions)
      this.#admissions.assertMayEnter(entry)
      const { conference, user } = entry
      const session = open ?? (await this.#ownership.open(tag))
      session.conference = conference
      const { id, role } = await enter(this.#deps, session, user)
      this.#postponed.supersede(id)
      this.#admissions.entered(session, person.userId)
      this.#reportStart(session, conference)
      if (!open) await this.#admissions.reevaluate(tag)
      const participant = { sessionId: session.id, participantId: id }
      return { conference, participant, role, version: session.version }
    })
  }

  /** Why the account waits from now on; null when it can join without waiting. Throws as join does. */
  enterLobby(tag: string, person: ConnectedUser, conditions: Conditions = {}): Promise<WaitReason | null> {
    return this.#mutex.run(tag, async () => {
      const session = await this.#findOngoing(tag)
      const entry = await this.#admissions.evaluate(tag, session, person)
      assertConditions(this.#deps, session?.version ?? 0, conditions)
      return this.#admissions.wait(entry)
    })
  }

  /** Ends every wait for the conference on this server. */
  dismissLobby(tag: string, reason: Exclude<EndReason, 'empty'>): Promise<void> {
    return this.#mutex.run(tag, () => this.#admissions.dismiss(tag, reason))
  }

  leaveLobby(tag: string, connectionId: string): Promise<void> {
    return this.#mutex.run(tag, () => this.#admissions.leave(tag, connectionId))
  }

  /** MUST be called when the connection has ended. */
  async leaveAllLobbies(connectionId: string): Promise<void> {
    const tags = this.#admissions.tagsOf(connectionId)
    await Promise.all(tags.map(tag => this.leaveLobby(tag, connectionId)))
  }

  /** MUST be called when the entry of the conference has changed: admits those who need not wait any more. */
  reevaluateLobby(tag: string): Promise<void> {
    return this.#mutex.run(tag, () => this.#admissions.reevaluate(tag))
  }

  /** False when the participant had left before. */
  leave(ref: ParticipantRef, conditions: Conditions = {}): Promise<boolean> {
    return this.#ifInside(ref, (session, self) => leave(this.#deps, session, self, 'left'), conditions)
  }

  disconnect(ref: ParticipantRef): Promise<boolean> {
    return this.#ifInside(ref, (session, self) => disconnect(this.#deps, session, self))
  }

  /** False when it is too late, or the participant belongs to another account: the client must join again. */
  async reconnect(ref: ParticipantRef, user: Pick<ConnectedUser, 'userId' | 'linkRole'>): Promise<boolean> {
    const session = this.#registry.get(ref.sessionId) ?? this.#registry.getUnsure(ref.sessionId)
    if (session?.participants.get(ref.participantId)?.userId !== user.userId) return false
    return this.#ifInside(ref, (session, self) => {
      const role = resolveRole(session.conference ?? { ownerId: null }, user)
      reconnect(this.#deps, session, self, { role })
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
    const stored = await this.#deps.participants.findByConnection(connectionId)
    const resumed: typeof stored = []
    try {
      for (const each of stored) if (await this.#resumeIn(each, personIn(each.tag))) resumed.push(each)
    } finally {
      if (resumed.length < stored.length) for (const each of resumed.splice(0)) await this.disconnect(each)
    }
    return resumed
  }

  #resumeIn(
    { tag, sessionId, participantId }: SessionRef & ParticipantRef,
    person: ConnectedUser,
  ): Promise<boolean> {
    return this.#mutex.run(tag, async () => {
      const session = await this.#findOngoing(tag)
      const self = session?.id === sessionId ? session.participants.get(participantId) : undefined
      if (!session || self?.userId !== person.userId || self.connectionId !== person.connectionId)
        return false
      const entry = await this.#admissions.findEntry(tag, session, person)
      if (!entry) return false
      session.conference = entry.conference
      this.#postponed.supersede(participantId)
      reconnect(this.#deps, session, self, entry.user)
      this.#reportStart(session, entry.conference)
      return true
    })
  }

  /** Once for each incarnation. */
  #reportStart(session: Session, { kind }: Conference): void {
    if (session.isStarted) return
    session.isStarted = true
    this.#deps.domainEvents.publish('session-started', { session: toOwnSession(session), kind })
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
      if (session?.chat.behind) await this.#change(session, () => publishPending(this.#deps, session))
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
    return this.#change(session, async () => {
      const self = session.participants.get(ref.participantId)
      assertOrRefuse(self, 'not_inside')
      assertConditions(this.#deps, session.version, conditions)
      const data = await run({ deps: this.#deps, session, self, commandId: id }, body)
      if (session.lobby.isStale) await this.#admissions.reevaluate(session.tag)
      return { data, version: session.version }
    })
  }

  /** At once and without the mutex: the change has happened already. */
  applyMediaEvent(sessionId: number, event: MediaEvent): void {
    const session = this.#registry.get(sessionId)
    if (session) applyMediaEvent(this.#deps, session, event)
  }

  /** Throws `not_permitted` when a moderator does not let the participant send this source (rule MOD-4). */
  assertMayPublish({ sessionId, participantId }: ParticipantRef, source: MediaSource): void {
    const session = this.#registry.get(sessionId)
    const self = session?.participants.get(participantId)
    assertOrRefuse(!session || !self || maySend(session, self, source), 'not_permitted')
  }

  /** The same for a publication that is paused. */
  assertMayResume(ref: ParticipantRef, publicationId: string): void {
    const source = this.#registry.get(ref.sessionId)?.publications.get(publicationId)?.source
    if (source) this.assertMayPublish(ref, source)
  }

  /** Whether a recorder records the session right now. */
  setRecording(sessionId: number, active: boolean): void {
    const session = this.#registry.get(sessionId)
    if (session) setRecording(this.#deps, session, active)
  }

  /** Whether a transcriber transcribes the session right now. */
  setTranscription(sessionId: number, active: boolean): void {
    const session = this.#registry.get(sessionId)
    if (session) setTranscription(this.#deps, session, active)
  }

  /** A message in the conversation of the conference was stored, or changed, by whomever. */
  applyChatNotice(notice: ChatNotice): void {
    const session = this.#registry.getByTag(notice.tag)
    if (!session) return
    // At once, so that a command of the session that runs right now publishes it in its place.
    if (notice.is === 'added') addUnpublished(session, notice.message)
    void this.#change(session, () => {
      publishAdded(this.#deps, session)
      if (notice.is === 'changed') applyChange(this.#deps, session, notice.message)
    })
  }

  /** Compares the chats of these sessions with the store: notices may have been lost. */
  async verifyChats(sessions: readonly Session[]): Promise<void> {
    await Promise.all(sessions.map(each => this.#change(each, () => verifyChat(this.#deps, each))))
  }

  addPhrases(sessionId: number, phrases: Phrase[]): void {
    const session = this.#registry.get(sessionId)
    if (session) addPhrases(this.#deps, session, phrases)
  }

  /** For administrators, also in a partner's room. False when there is no open session. */
  startTranscription(tag: string, options: TranscriptionOptions): Promise<boolean> {
    return this.#ifLive(tag, session => requestTranscription(this.#deps, session, options))
  }

  stopTranscription(tag: string): Promise<boolean> {
    return this.#ifLive(tag, session => cancelTranscription(this.#deps, session))
  }

  isInside({ sessionId, participantId }: ParticipantRef): boolean {
    return this.#registry.get(sessionId)?.participants.has(participantId) ?? false
  }

  #ifLive(tag: string, work: (session: Session) => Promise<void>): Promise<boolean> {
    return this.#mutex.run(tag, async () => {
      const session = await this.#findOngoing(tag)
      if (session) await work(session)
      return session !== undefined
    })
  }

  /** The conditions do not count for a change that has to wait: its connection does not exist any more. */
  async #ifInside(
    ref: ParticipantRef,
    change: ParticipantChange,
    conditions: Conditions = {},
  ): Promise<boolean> {
    const session = this.#registry.get(ref.sessionId)
    if (!session) return this.#postponeIfUnsure(ref, change)
    this.#postponed.supersede(ref.participantId)
    return this.#change(session, async () => {
      const self = session.participants.get(ref.participantId)
      if (!self) return false
      assertConditions(this.#deps, session.version, conditions)
      await change(session, self)
      return true
    })
  }

  #postponeIfUnsure(ref: ParticipantRef, change: ParticipantChange): boolean {
    const isInside = this.#registry.getUnsure(ref.sessionId)?.participants.has(ref.participantId) ?? false
    if (isInside) this.#postponed.add(ref, change)
    return isInside
  }

  async #changePostponed(): Promise<void> {
    const due = this.#postponed.take(id => this.#registry.getUnsure(id) !== undefined)
    await Promise.all(due.map(({ ref, change }) => this.#ifInside(ref, change).catch(unlessLost)))
  }

  #change<T>(session: Session, work: () => T | Promise<T>): Promise<T> {
    return this.#mutex.run(session.tag, () => this.#ownership.settle(session, work))
  }

  /** The session of the conference. One whose end was decided before is ended first. Throws `elsewhere`. */
  async #findOngoing(tag: string): Promise<Session | undefined> {
    const session = await this.#ownership.find(tag)
    if (!session || !isEnding(session.lifecycle)) return session
    await this.#ownership.settle(session, () => sweep(this.#deps, session))
  }

  /** Sessions whose lease is lost stop here at once. */
  async #renewLeases(): Promise<void> {
    const lost = await this.#registry.renewLeases()
    await Promise.all(lost.map(session => this.#ownership.lose(session)))
  }

  /** Runs the sessions of dead servers: their people join again, or they end after the grace time. */
  #openVacant(): Promise<void> {
    if (this.#ownership.isStopped) return Promise.resolve()
    const opening = this.#openAllVacant()
    this.#openingVacant = Promise.allSettled([this.#openingVacant, opening])
    return opening
  }

  async #openAllVacant(): Promise<void> {
    for (const leased of await this.#registry.listVacant()) {
      if (this.#ownership.isStopped) return // what was acquired is released with everything else
      await this.#mutex.run(leased.stored.tag, () => this.#ownership.openVacant(leased)).catch(unlessLost)
    }
  }
}

/** The log writes enumerable properties of an error: whoever logs it names the session. */
const naming =
  ({ id }: Session) =>
  (error: unknown): never => {
    throw error instanceof Error ? Object.assign(error, { conference_session_id: id }) : error
  }

/** A session that is lost needs nothing more from this server. */
function unlessLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error
}
