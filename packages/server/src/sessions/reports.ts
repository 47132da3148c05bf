import type { Phrase } from '@lectern/protocol/control'
import { addUnpublished, applyChange, publishAdded, verifyChat } from './chat.ts'
import type { ConferenceSessions, RuntimeParts } from './conference-sessions.ts'
import { applyMediaEvent } from './participants/publications.ts'
import type { ChatNotice, MediaEvent } from './ports.ts'
import { setRecording } from './recording/recording.ts'
import { addPhrases, setTranscription } from './recording/transcription.ts'
import type { Session } from './session.ts'

/**
 * Reports of media, workers and conversations about sessions. Reports about sessions that are not here are dropped.
 * Nobody repeats them soon: while it is uncertain whether this server still holds the lease of a session, they wait.
 */
export class Reports {
  readonly #parts: RuntimeParts
  readonly #conferences: ConferenceSessions
  /** By session, in their order. */
  readonly #postponed = new Map<number, ((session: Session) => void)[]>()

  constructor(parts: RuntimeParts, conferences: ConferenceSessions) {
    this.#parts = parts
    this.#conferences = conferences
  }

  subscribe(): void {
    const { domainEvents } = this.#parts
    domainEvents.subscribe('media-changed', ({ sessionId, event }) => this.applyMediaEvent(sessionId, event))
    domainEvents.subscribe('job-activity-reported', ({ sessionId, kind, isActive }) =>
      kind === 'recording'
        ? this.setRecording(sessionId, isActive)
        : this.setTranscription(sessionId, isActive),
    )
    // The next server asks media and workers itself; so does this one if it acquires the session again.
    domainEvents.subscribe('session-lost', ({ sessionId }) => void this.#postponed.delete(sessionId))
  }

  applyMediaEvent(sessionId: number, event: MediaEvent): void {
    this.#apply(sessionId, session => applyMediaEvent(this.#parts, session, event))
  }

  /** Whether a recorder records the session right now. */
  setRecording(sessionId: number, active: boolean): void {
    this.#apply(sessionId, session => setRecording(this.#parts, session, active))
  }

  /** Whether a transcriber transcribes the session right now. */
  setTranscription(sessionId: number, active: boolean): void {
    this.#apply(sessionId, session => setTranscription(this.#parts, session, active))
  }

  addPhrases(sessionId: number, phrases: Phrase[]): void {
    this.#apply(sessionId, session => addPhrases(this.#parts, session, phrases))
  }

  /** Applies what waits for sessions that are not uncertain any more. */
  applyPostponed(): void {
    for (const sessionId of [...this.#postponed.keys()]) this.#applyAll(sessionId)
  }

  /** A message in the conversation of the conference was stored or changed, by any of its members. */
  applyChatNotice(notice: ChatNotice): void {
    const running = this.#parts.registry.getRunning(notice.tag)
    if (!running || isPublishedBy(running, notice)) return
    // At once, so that a command of the session that runs right now publishes it in the right order.
    if (notice.is === 'added') addUnpublished(running, notice.message)
    this.#apply(running.id, session => {
      this.#conferences
        .change(session, () => {
          publishAdded(this.#parts, session)
          if (notice.is === 'changed') applyChange(this.#parts, session, notice.message)
        })
        .catch(this.#parts.onFailure('a message was not published in its session yet'))
    })
  }

  /** Compares the chats of these sessions with the store: notices may have been lost. */
  async verifyChats(sessions: readonly Session[]): Promise<void> {
    await Promise.all(
      sessions.map(each => this.#conferences.change(each, () => verifyChat(this.#parts, each))),
    )
  }

  /** Applies a change that has happened already, without the mutex. */
  #apply(sessionId: number, change: (session: Session) => void): void {
    const waiting = this.#postponed.get(sessionId) ?? []
    this.#postponed.set(sessionId, waiting)
    waiting.push(change)
    this.#applyAll(sessionId)
  }

  #applyAll(sessionId: number): void {
    const { registry } = this.#parts
    if (registry.getUnsure(sessionId)) return
    const changes = this.#postponed.get(sessionId) ?? []
    this.#postponed.delete(sessionId)
    const session = registry.get(sessionId)
    if (session) for (const change of changes) change(session)
  }
}

/** Whether the command that has stored the message publishes it. One that failed may not. */
const isPublishedBy = ({ lease, chat }: Session, notice: ChatNotice): boolean =>
  !chat.behind &&
  notice.lease?.sessionId === lease.sessionId &&
  notice.lease.incarnation === lease.incarnation &&
  notice.lease.owner === lease.owner
