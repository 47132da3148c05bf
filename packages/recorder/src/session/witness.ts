import type { HeldJob, SessionHappening } from '@lectern/worker-kit'
import { nowMs } from '../clock/now.ts'
import type { LogFile } from './log-file.ts'
import { PERSON_GONE, PERSON_HERE, type People } from './people.ts'

/**
 * Writes down what happens in the session. Who is there is taken from the state, not from the events: the state is
 * right also after an absence.
 */
export class Witness {
  readonly #here = new Map<string, string>()
  /** When the session ended, by its own stream; null: not that it is known. */
  endedAtMs: number | null = null
  /** When the room was last left by everybody; null while somebody is there, or nobody ever was. */
  emptySinceMs: number | null

  constructor(
    private readonly held: Pick<HeldJob, 'session'>,
    private readonly log: LogFile,
    /** What former attempts wrote. */
    before: People,
  ) {
    const here = before.at(Number.POSITIVE_INFINITY)
    for (const person of here) this.#here.set(person.participant_id, JSON.stringify(person))
    this.emptySinceMs = here.length > 0 ? null : (before.changes().at(-1) ?? null)
  }

  get peopleHere() {
    return this.#here.size
  }

  get isEnded() {
    return this.endedAtMs !== null
  }

  hear({ name, body, atMs }: SessionHappening) {
    this.look(atMs)
    if (name !== 'session.snapshot')
      this.log.add(name, name === 'chat.message' ? withoutText(body) : body, atMs)
    if (name === 'session.ended') this.endedAtMs ??= atMs
  }

  /** To be called now and then: the state may change without an event, after an absence. */
  look(atMs = nowMs()) {
    const session = this.held.session()
    if (!session || session.ended !== null) return
    const gone = new Set(this.#here.keys())
    for (const participant of session.participants) {
      const { participant_id, user_id, display_name, role, joined_at_ms } = participant
      const person = { participant_id, user_id, display_name, role, joined_at_ms }
      gone.delete(participant_id)
      const text = JSON.stringify(person)
      if (this.#here.get(participant_id) === text) continue
      this.#here.set(participant_id, text)
      this.log.add(PERSON_HERE, person, atMs)
    }
    for (const participant_id of gone) {
      this.#here.delete(participant_id)
      this.log.add(PERSON_GONE, { participant_id }, atMs)
    }
    if (this.#here.size > 0) this.emptySinceMs = null
    else if (gone.size > 0) this.emptySinceMs = atMs
  }
}

/** What people write to one another is kept by the server, not by each recording. */
function withoutText(body: SessionHappening['body']): SessionHappening['body'] {
  const { message_id, user_id, sent_at_ms } = (body.message ?? {}) as Record<string, string | number>
  return { message: { message_id: message_id ?? '', user_id: user_id ?? '', sent_at_ms: sent_at_ms ?? 0 } }
}
