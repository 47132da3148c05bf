import { KeyedMutex } from '@lectern/common'
import type { CommandBody, CommandData, Phrase, SessionState, WaitReason } from '@lectern/protocol/control'
import type { Entrant } from './admission.ts'
import { Admissions } from './admissions.ts'
import { findAnswer, type SentMessage } from './chat.ts'
import { type Answer, carryOut, type SessionCommand, type SessionCommandOf } from './commands.ts'
import { type Conditions, demandConditions } from './conditions.ts'
import { end, isDue, sweep } from './ending.ts'
import { disconnect, enter, type JoinResult, leave, type ParticipantRef, reconnect } from './membership.ts'
import { OpenSessions } from './open-sessions.ts'
import type {
  ConnectedUser,
  EndReason,
  MediaEvent,
  SessionDependencies,
  TranscriptionOptions,
} from './ports.ts'
import { presentSession } from './present.ts'
import { applyMediaEvent } from './publications.ts'
import { setRecording } from './recording.ts'
import { assertOrRefuse } from './refusals.ts'
import { type Participant, type Session, streamOf } from './session.ts'
import { addPhrases, cancelTranscription, requestTranscription, setTranscription } from './transcription.ts'

/** Who is present in which conference, and what may happen there. Each conference takes one thing at a time. */
export class ConferenceSessions {
  readonly #deps: SessionDependencies
  readonly #sessions: OpenSessions
  readonly #mutex = new KeyedMutex()
  readonly #admissions: Admissions

  constructor(deps: SessionDependencies) {
    this.#deps = deps
    this.#sessions = new OpenSessions(deps, {
      lobbyOf: tag => this.#admissions.lobbyOf(tag),
      onEnded: session => this.#admissions.sessionEnded(session),
    })
    this.#admissions = new Admissions(deps, this.#sessions.withTag)
  }

  /** Takes up what a server that stopped has left open. To be awaited before anybody joins. */
  async start(): Promise<void> {
    for (const stored of await this.#deps.sessions.resumeOpen()) await this.#sessions.restore(stored)
  }

  /** Ends what nobody came back to. To be called about every second; what fails is tried again then. */
  async sweep(): Promise<void> {
    const due = this.#sessions.all.filter(session => isDue(this.#deps, session))
    await Promise.all([
      ...due.map(session => this.#change(session, () => sweep(this.#deps, session))),
      ...this.#admissions.due().map(tag => this.#mutex.run(tag, () => this.#admissions.sweep(tag))),
    ])
  }

  get size(): { sessions: number; participants: number; waiting: number } {
    const sessions = this.#sessions.all
    const participants = sessions.reduce((sum, session) => sum + session.participants.size, 0)
    return { sessions: sessions.length, participants, waiting: this.#admissions.waiting }
  }

  async isLive(tag: string): Promise<boolean> {
    return this.#sessions.withTag(tag) !== undefined
  }

  /** Ends the running session, if there is one, and every wait for it. */
  end(tag: string, reason: Exclude<EndReason, 'empty'>): Promise<void> {
    return this.#mutex.run(tag, async () => {
      const session = this.#sessions.withTag(tag)
      if (session) await this.#sessions.settle(session, () => end(this.#deps, session, reason))
      this.#admissions.dismiss(tag, reason)
    })
  }

  /** Throws `conference_not_found`, what the directory throws, or a ConferenceRefusal: a wait reason among them. */
  join(tag: string, person: ConnectedUser, conditions: Conditions = {}): Promise<JoinResult> {
    return this.#mutex.run(tag, async () => {
      const open = await this.#sessions.findOngoing(tag)
      const candidacy = await this.#admissions.consider(tag, open, person)
      demandConditions(this.#deps, open?.version ?? 0, conditions)
      this.#admissions.demandEntry(candidacy)
      const { conference, entrant } = candidacy
      const session = open ?? (await this.#sessions.open(tag))
      if (!open) this.#admissions.sessionOpened(session)
      session.kind = conference.kind
      const { id, role } = await enter(this.#deps, session, entrant)
      this.#admissions.entered(session, person.userId)
      if (session.joins === 1) this.#deps.jobs.began({ sessionId: session.id, tag }, conference.kind)
      if (!open) await this.#admissions.reconsider(tag)
      const participant = { sessionId: session.id, participantId: id }
      return { conference, participant, role, stream: streamOf(session), version: session.version }
    })
  }

  /** Why the person waits from now on; null when they need not, and are to join. Throws as join does. */
  enterLobby(tag: string, person: ConnectedUser, conditions: Conditions = {}): Promise<WaitReason | null> {
    return this.#mutex.run(tag, async () => {
      const session = await this.#sessions.findOngoing(tag)
      const candidacy = await this.#admissions.consider(tag, session, person)
      demandConditions(this.#deps, session?.version ?? 0, conditions)
      return this.#admissions.wait(candidacy)
    })
  }

  leaveLobby(tag: string, connectionId: string): Promise<void> {
    return this.#mutex.run(tag, () => this.#admissions.leave(tag, connectionId))
  }

  /** The connection waits nowhere any more. */
  async leaveAllLobbies(connectionId: string): Promise<void> {
    const tags = this.#admissions.tagsOf(connectionId)
    await Promise.all(tags.map(tag => this.leaveLobby(tag, connectionId)))
  }

  /** Who enters without asking has changed: whoever need not wait any more is asked in. */
  reevaluateLobby(tag: string): Promise<void> {
    return this.#mutex.run(tag, () => this.#admissions.reconsider(tag))
  }

  /** False when the participant was gone before. */
  leave(ref: ParticipantRef, conditions: Conditions = {}): Promise<boolean> {
    return this.#ifInside(ref, (session, self) => {
      demandConditions(this.#deps, session.version, conditions)
      return leave(this.#deps, session, self, 'left')
    })
  }

  disconnect(ref: ParticipantRef): Promise<boolean> {
    return this.#ifInside(ref, (session, self) => disconnect(this.#deps, session, self))
  }

  /** False when it is too late, or the participant belongs to another account: the client must join again. */
  async reconnect(ref: ParticipantRef, person: Pick<Entrant, 'userId' | 'role'>): Promise<boolean> {
    const participant = this.#sessions.withId(ref.sessionId)?.participants.get(ref.participantId)
    if (participant?.userId !== person.userId) return false
    return this.#ifInside(ref, (session, self) => reconnect(this.#deps, session, self, person))
  }

  /** What came of a command, and the session's version after it. */
  async execute<N extends SessionCommand>(
    ref: ParticipantRef,
    command: SessionCommandOf<N>,
  ): Promise<{ data: Answer<N>; version: number }> {
    const session = this.#sessions.withId(ref.sessionId)
    assertOrRefuse(session, 'not_inside')
    return this.#change(session, async () => {
      const self = session.participants.get(ref.participantId)
      assertOrRefuse(self, 'not_inside')
      const data = await carryOut({ deps: this.#deps, session, self, commandId: command.id }, command)
      if (command.name === 'conference.set_lock') await this.#admissions.reconsider(session.tag)
      return { data, version: session.version }
    })
  }

  /** The answer to a chat.send that was stored before, whoever is inside now; null when it was not (T9). */
  findAnswer(message: SentMessage, body: CommandBody<'chat.send'>): Promise<CommandData<'chat.send'> | null> {
    return findAnswer(this.#deps, message, body)
  }

  /** Media has changed by itself. At once and not in a turn: it is so already. */
  applyMediaEvent(sessionId: number, event: MediaEvent): void {
    const session = this.#sessions.withId(sessionId)
    if (session) applyMediaEvent(this.#deps, session, event)
  }

  /** Whether a recorder records the session right now. Told once for each change. */
  setRecording(sessionId: number, active: boolean): void {
    const session = this.#sessions.withId(sessionId)
    if (session) setRecording(this.#deps, session, active)
  }

  /** As setRecording. */
  setTranscription(sessionId: number, active: boolean): void {
    const session = this.#sessions.withId(sessionId)
    if (session) setTranscription(this.#deps, session, active)
  }

  /** Phrases that a transcriber heard, each told once. */
  addPhrases(sessionId: number, phrases: Phrase[]): void {
    const session = this.#sessions.withId(sessionId)
    if (session) addPhrases(this.#deps, session, phrases)
  }

  /** For administrators, also in a partner's room. False when nothing goes on there. */
  startTranscription(tag: string, options: TranscriptionOptions): Promise<boolean> {
    return this.#ifLive(tag, session => requestTranscription(this.#deps, session, options))
  }

  stopTranscription(tag: string): Promise<boolean> {
    return this.#ifLive(tag, session => cancelTranscription(this.#deps, session))
  }

  isOpen(sessionId: number): boolean {
    return this.#sessions.withId(sessionId) !== undefined
  }

  isInside({ sessionId, participantId }: ParticipantRef): boolean {
    return this.#sessions.withId(sessionId)?.participants.has(participantId) ?? false
  }

  /** The id of the open session; null when there is none. */
  sessionOf(tag: string): number | null {
    return this.#sessions.withTag(tag)?.id ?? null
  }

  /** As it is after the last event published; null when the session is not open. */
  state(sessionId: number): { state: SessionState; version: number } | null {
    const session = this.#sessions.withId(sessionId)
    return session ? { state: presentSession(session), version: session.version } : null
  }

  #ifLive(tag: string, work: (session: Session) => Promise<void>): Promise<boolean> {
    return this.#mutex.run(tag, async () => {
      const session = await this.#sessions.findOngoing(tag)
      if (session) await work(session)
      return session !== undefined
    })
  }

  async #ifInside(
    ref: ParticipantRef,
    work: (session: Session, self: Participant) => unknown,
  ): Promise<boolean> {
    const session = this.#sessions.withId(ref.sessionId)
    if (!session) return false
    return this.#change(session, async () => {
      const self = session.participants.get(ref.participantId)
      if (!self) return false
      await work(session, self)
      return true
    })
  }

  #change<T>(session: Session, work: () => T | Promise<T>): Promise<T> {
    return this.#mutex.run(session.tag, () => this.#sessions.settle(session, work))
  }
}
