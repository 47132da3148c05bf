import type { LogLine } from './log-reader.ts'
import { type AttendanceEntry, PresenceHistory } from './presence-history.ts'
import { RaisedHands } from './raised-hands.ts'

export const PARTICIPANT_PRESENT = 'recorder.person_here'
export const PARTICIPANT_LEFT = 'recorder.person_gone'
export const HAND_CHANGED = 'recorder.hand_changed'

const NAMES = new Set([PARTICIPANT_PRESENT, PARTICIPANT_LEFT, HAND_CHANGED])

export const isAboutAttendance = ({ name }: LogLine): boolean => NAMES.has(name)

/** A participant was present from one time to the other. */
export interface Stay {
  person: AttendanceEntry
  fromMs: number
  /** Null: present until the end. */
  toMs: number | null
}

/** The times when people were present, from the lines of the event log. Its size grows with joins, not with other changes. */
export class Attendance {
  readonly #stays: Stay[] = []
  /** The last stay of every participant. */
  readonly #byParticipant = new Map<string, Stay>()
  readonly #hands = new Map<string, RaisedHands>()
  readonly presence = new PresenceHistory()
  /** When the recorder first knew who was present: some moments after the beginning of the recording. */
  #firstKnownMs: number | null = null

  /** In the order of the log. Lines about other things are ignored. */
  add({ name, at_ms: atMs, body }: LogLine): void {
    if (name === PARTICIPANT_PRESENT) this.#onPresent(body as AttendanceEntry, atMs)
    else if (name === PARTICIPANT_LEFT) this.#onLeft((body as AttendanceEntry).participant_id, atMs)
    else if (name === HAND_CHANGED) this.#onHand(body as unknown as HandBody, atMs)
  }

  /** Everybody who ever took part, with their latest name. */
  allParticipants(): Map<string, AttendanceEntry> {
    return new Map([...this.#byParticipant].map(([id, { person }]) => [id, person]))
  }

  /** In order of joining. A participant whom the session has forgotten and knows again has several. */
  stays(): readonly Stay[] {
    return this.#stays
  }

  /** The raised hands of an account. */
  handsOf(userId: string): RaisedHands {
    return this.#hands.get(userId) ?? new RaisedHands()
  }

  #onPresent(person: AttendanceEntry, atMs: number): void {
    this.#firstKnownMs ??= atMs
    // Those who were there before: without them, every recording would begin with an empty picture.
    const sinceMs = atMs === this.#firstKnownMs ? Math.min(person.joined_at_ms, atMs) : atMs
    this.presence.add(sinceMs, person.participant_id, person)
    const last = this.#byParticipant.get(person.participant_id)
    if (last?.toMs === null) {
      last.person = person
      return
    }
    // The session knows when somebody joined, also before the recording.
    const stay: Stay = { person, fromMs: last ? atMs : person.joined_at_ms, toMs: null }
    this.#stays.push(stay)
    this.#byParticipant.set(person.participant_id, stay)
  }

  #onLeft(participantId: string, atMs: number): void {
    this.presence.add(atMs, participantId, null)
    const stay = this.#byParticipant.get(participantId)
    if (!stay || stay.toMs !== null) return
    stay.toMs = atMs
    this.#hands.get(stay.person.user_id)?.lower(participantId, atMs)
  }

  #onHand({ participant_id, raised_at_ms }: HandBody, atMs: number): void {
    const userId = this.#byParticipant.get(participant_id)?.person.user_id
    if (userId === undefined) return
    const hands = this.#hands.get(userId) ?? new RaisedHands()
    this.#hands.set(userId, hands)
    if (raised_at_ms === null) hands.lower(participant_id, atMs)
    else hands.raise(participant_id, raised_at_ms)
  }
}

interface HandBody {
  participant_id: string
  raised_at_ms: number | null
}
