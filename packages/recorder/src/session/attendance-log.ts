import type { HeldJob, ObservedEvent } from '@lectern/worker-kit'
import { nowMs } from '../clock/now.ts'
import { type Attendance, PARTICIPANT_LEFT, PARTICIPANT_PRESENT } from './attendance.ts'
import type { EventLog } from './event-log.ts'

/**
 * Logs the events of a session and who is present. Presence is derived from the session state rather than from events,
 * because the state is correct even after a disconnect.
 */
export class AttendanceLog {
  readonly #present = new Map<string, string>()
  /** When the session ended, by its own stream; null if unknown. */
  endedAtMs: number | null = null
  /** Since when the room is empty; null while somebody is present, or nobody ever was. */
  emptySinceMs: number | null

  constructor(
    private readonly held: Pick<HeldJob, 'session'>,
    private readonly log: EventLog,
    /** The log of earlier attempts. */
    before: Attendance,
  ) {
    const present = before.at(Number.POSITIVE_INFINITY)
    for (const person of present) this.#present.set(person.participant_id, JSON.stringify(person))
    this.emptySinceMs = present.length > 0 ? null : (before.changeTimes().at(-1) ?? null)
  }

  get presentCount() {
    return this.#present.size
  }

  get isEnded() {
    return this.endedAtMs !== null
  }

  onEvent({ name, body, atMs }: ObservedEvent) {
    this.refresh(atMs)
    if (name !== 'session.snapshot')
      this.log.add(name, name === 'chat.message' ? withoutText(body) : body, atMs)
    if (name === 'session.ended') this.endedAtMs ??= atMs
  }

  /** Call periodically: after a disconnect the state may change without an event. */
  refresh(atMs = nowMs()) {
    const session = this.held.session()
    if (!session || session.ended !== null) return
    const left = new Set(this.#present.keys())
    for (const participant of session.participants) {
      const { participant_id, user_id, display_name, role, joined_at_ms } = participant
      const person = { participant_id, user_id, display_name, role, joined_at_ms }
      left.delete(participant_id)
      const text = JSON.stringify(person)
      if (this.#present.get(participant_id) === text) continue
      this.#present.set(participant_id, text)
      this.log.add(PARTICIPANT_PRESENT, person, atMs)
    }
    for (const participant_id of left) {
      this.#present.delete(participant_id)
      this.log.add(PARTICIPANT_LEFT, { participant_id }, atMs)
    }
    if (this.#present.size > 0) this.emptySinceMs = null
    else if (left.size > 0) this.emptySinceMs = atMs
  }
}

/** Chat texts are not copied into recordings. */
function withoutText(body: ObservedEvent['body']): ObservedEvent['body'] {
  const { message_id, user_id, sent_at_ms } = (body.message ?? {}) as Record<string, string | number>
  return { message: { message_id: message_id ?? '', user_id: user_id ?? '', sent_at_ms: sent_at_ms ?? 0 } }
}
