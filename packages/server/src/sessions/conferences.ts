import type { CommandBody, CommandData, Phrase, SessionState, WaitReason } from '@lectern/protocol/control'
import type { Entrant } from './admission.ts'
import { Admissions } from './admissions.ts'
import { findAnswer, type SentMessage } from './chat.ts'
import { type Answer, carryOut, type SessionCommand, type SessionCommandOf } from './commands.ts'
import { type Conditions, demandConditions } from './conditions.ts'
import { end, isDue, sweep } from './ending.ts'
import { comeBack, enter, type Joined, leave, lose, type Place } from './membership.ts'
import { OpenSessions } from './open-sessions.ts'
import type { ConferenceParts, EndReason, MediaEvent, Person, TranscriptionWish } from './ports.ts'
import { presentSession } from './present.ts'
import { noteMedia } from './publications.ts'
import { noteRecording } from './recording.ts'
import { demand } from './refusals.ts'
import { type Participant, type Session, streamOf } from './session.ts'
import { ceaseTranscription, hear, noteTranscription, orderTranscription } from './transcription.ts'
import { Turns } from './turns.ts'

/** Who is present in which conference, and what may happen there. Each conference takes one thing at a time. */
export class Conferences {
  readonly #parts: ConferenceParts
  readonly #sessions: OpenSessions
  readonly #turns = new Turns()
  readonly #admissions: Admissions

  constructor(parts: ConferenceParts) {
    this.#parts = parts
    this.#sessions = new OpenSessions(parts, {
      lobbyOf: tag => this.#admissions.lobbyOf(tag),
      onEnded: session => this.#admissions.sessionEnded(session),
    })
    this.#admissions = new Admissions(parts, this.#sessions.withTag)
  }

  /** Takes up what a server that stopped has left open. To be awaited before anybody joins. */
  async start(): Promise<void> {
    for (const stored of await this.#parts.sessions.resumeOpen()) await this.#sessions.restore(stored)
  }

  /** Ends what nobody came back to. To be called about every second; what fails is tried again then. */
  async sweep(): Promise<void> {
    const due = this.#sessions.all.filter(session => isDue(this.#parts, session))
    await Promise.all([
      ...due.map(session => this.#change(session, () => sweep(this.#parts, session))),
      ...this.#admissions.due().map(tag => this.#turns.take(tag, () => this.#admissions.sweep(tag))),
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
    return this.#turns.take(tag, async () => {
      const session = this.#sessions.withTag(tag)
      if (session) await this.#sessions.settle(session, () => end(this.#parts, session, reason))
      this.#admissions.dismiss(tag, reason)
    })
  }

  /** Throws `conference_not_found`, what the directory throws, or a ConferenceRefusal: a wait reason among them. */
  join(tag: string, person: Person, conditions: Conditions = {}): Promise<Joined> {
    return this.#turns.take(tag, async () => {
      const open = await this.#sessions.findOngoing(tag)
      const candidacy = await this.#admissions.consider(tag, open, person)
      demandConditions(this.#parts, open?.version ?? 0, conditions)
      this.#admissions.demandEntry(candidacy)
      const { conference, entrant } = candidacy
      const session = open ?? (await this.#sessions.open(tag))
      if (!open) this.#admissions.sessionOpened(session)
      session.kind = conference.kind
      const { id, role } = await enter(this.#parts, session, entrant)
      this.#admissions.entered(session, person.userId)
      if (session.joins === 1) this.#parts.jobs.began({ sessionId: session.id, tag }, conference.kind)
      if (!open) await this.#admissions.reconsider(tag)
      const place = { sessionId: session.id, participantId: id }
      return { conference, place, role, stream: streamOf(session), version: session.version }
    })
  }

  /** Why the person waits from now on; null when they need not, and are to join. Throws as join does. */
  enterLobby(tag: string, person: Person, conditions: Conditions = {}): Promise<WaitReason | null> {
    return this.#turns.take(tag, async () => {
      const session = await this.#sessions.findOngoing(tag)
      const candidacy = await this.#admissions.consider(tag, session, person)
      demandConditions(this.#parts, session?.version ?? 0, conditions)
      return this.#admissions.wait(candidacy)
    })
  }

  leaveLobby(tag: string, connectionId: string): Promise<void> {
    return this.#turns.take(tag, () => this.#admissions.leave(tag, connectionId))
  }

  /** The connection waits nowhere any more. */
  async connectionOver(connectionId: string): Promise<void> {
    const tags = this.#admissions.tagsOf(connectionId)
    await Promise.all(tags.map(tag => this.leaveLobby(tag, connectionId)))
  }

  /** Who enters without asking has changed: whoever need not wait any more is asked in. */
  reconsider(tag: string): Promise<void> {
    return this.#turns.take(tag, () => this.#admissions.reconsider(tag))
  }

  /** False when the participant was gone before. */
  leave(place: Place, conditions: Conditions = {}): Promise<boolean> {
    return this.#ifInside(place, (session, self) => {
      demandConditions(this.#parts, session.version, conditions)
      return leave(this.#parts, session, self, 'left')
    })
  }

  connectionLost(place: Place): Promise<boolean> {
    return this.#ifInside(place, (session, self) => lose(this.#parts, session, self))
  }

  /** False when it is too late, or the place is another person's: join again then. */
  async connectionBack(place: Place, person: Pick<Entrant, 'userId' | 'role'>): Promise<boolean> {
    const participant = this.#sessions.withId(place.sessionId)?.participants.get(place.participantId)
    if (participant?.userId !== person.userId) return false
    return this.#ifInside(place, (session, self) => comeBack(this.#parts, session, self, person))
  }

  /** What came of a command, and the session's version after it. */
  async act<N extends SessionCommand>(
    place: Place,
    command: SessionCommandOf<N>,
  ): Promise<{ data: Answer<N>; version: number }> {
    const session = this.#sessions.withId(place.sessionId)
    demand(session, 'not_inside')
    return this.#change(session, async () => {
      const self = session.participants.get(place.participantId)
      demand(self, 'not_inside')
      const data = await carryOut({ parts: this.#parts, session, self, commandId: command.id }, command)
      if (command.name === 'conference.set_lock') await this.#admissions.reconsider(session.tag)
      return { data, version: session.version }
    })
  }

  /** The answer to a chat.send that was stored before, whoever is inside now; null when it was not (T9). */
  findAnswer(message: SentMessage, body: CommandBody<'chat.send'>): Promise<CommandData<'chat.send'> | null> {
    return findAnswer(this.#parts, message, body)
  }

  /** Media has changed by itself. At once and not in a turn: it is so already. */
  noteMedia(sessionId: number, event: MediaEvent): void {
    const session = this.#sessions.withId(sessionId)
    if (session) noteMedia(this.#parts, session, event)
  }

  /** Whether a recorder records the session right now. Told once for each change. */
  setRecording(sessionId: number, active: boolean): void {
    const session = this.#sessions.withId(sessionId)
    if (session) noteRecording(this.#parts, session, active)
  }

  /** As setRecording. */
  setTranscription(sessionId: number, active: boolean): void {
    const session = this.#sessions.withId(sessionId)
    if (session) noteTranscription(this.#parts, session, active)
  }

  /** Phrases that a transcriber heard, each told once. */
  hear(sessionId: number, phrases: Phrase[]): void {
    const session = this.#sessions.withId(sessionId)
    if (session) hear(this.#parts, session, phrases)
  }

  /** For administrators, also in a partner's room. False when nothing goes on there. */
  startTranscription(tag: string, wish: TranscriptionWish): Promise<boolean> {
    return this.#ifLive(tag, session => orderTranscription(this.#parts, session, wish))
  }

  stopTranscription(tag: string): Promise<boolean> {
    return this.#ifLive(tag, session => ceaseTranscription(this.#parts, session))
  }

  isOpen(sessionId: number): boolean {
    return this.#sessions.withId(sessionId) !== undefined
  }

  isInside({ sessionId, participantId }: Place): boolean {
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
    return this.#turns.take(tag, async () => {
      const session = await this.#sessions.findOngoing(tag)
      if (session) await work(session)
      return session !== undefined
    })
  }

  async #ifInside(place: Place, work: (session: Session, self: Participant) => unknown): Promise<boolean> {
    const session = this.#sessions.withId(place.sessionId)
    if (!session) return false
    return this.#change(session, async () => {
      const self = session.participants.get(place.participantId)
      if (!self) return false
      await work(session, self)
      return true
    })
  }

  #change<T>(session: Session, work: () => T | Promise<T>): Promise<T> {
    return this.#turns.take(session.tag, () => this.#sessions.settle(session, work))
  }
}
