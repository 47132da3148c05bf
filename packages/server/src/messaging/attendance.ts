import type { EventSink, LobbyEvent, SessionEvent } from '../sessions/ports.ts'

/** Receives joins and leaves of sessions. */
export interface AttendanceObserver {
  onJoined(sessionId: number, userId: number): void
  onLeft(userId: number): void
}

/** Passes the events of sessions on, and lists their participants. */
export class AttendanceSink implements EventSink {
  readonly #sink: EventSink
  readonly #observer: AttendanceObserver
  /** User ids by participant id, by session. */
  readonly #inside = new Map<number, Map<string, number>>()

  constructor(sink: EventSink, observer: AttendanceObserver) {
    this.#sink = sink
    this.#observer = observer
  }

  publish(sessionId: number, event: SessionEvent): void {
    this.#sink.publish(sessionId, event)
    if (event.name === 'participant.joined') {
      const { participant_id, user_id } = event.body.participant
      const inside = this.#inside.get(sessionId) ?? new Map<string, number>()
      this.#inside.set(sessionId, inside.set(participant_id, Number(user_id)))
      this.#observer.onJoined(sessionId, Number(user_id))
    } else if (event.name === 'participant.left') {
      const inside = this.#inside.get(sessionId)
      const userId = inside?.get(event.body.participant_id)
      if (inside?.delete(event.body.participant_id) && userId !== undefined) this.#observer.onLeft(userId)
    }
  }

  detach(sessionId: number, participantId: string): void {
    this.#sink.detach(sessionId, participantId)
  }

  isSubscribed(sessionId: number, key: string): boolean {
    return this.#sink.isSubscribed(sessionId, key)
  }

  close(sessionId: number): void {
    this.#sink.close(sessionId)
    const inside = this.#inside.get(sessionId) ?? new Map<string, number>()
    this.#inside.delete(sessionId)
    for (const userId of inside.values()) this.#observer.onLeft(userId)
  }

  notifyAccount(userId: number, event: LobbyEvent): void {
    this.#sink.notifyAccount(userId, event)
  }
}
