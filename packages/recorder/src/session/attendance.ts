import type { LogLine } from './log-file.ts'

export const PARTICIPANT_PRESENT = 'recorder.person_here'
export const PARTICIPANT_LEFT = 'recorder.person_gone'
export const HAND_CHANGED = 'recorder.hand_changed'

const NAMES = new Set([PARTICIPANT_PRESENT, PARTICIPANT_LEFT, HAND_CHANGED])

export const isAboutAttendance = ({ name }: LogLine): boolean => NAMES.has(name)

/** A participant as logged in the events, once per change. */
export interface AttendanceEntry {
  [key: string]: string | number
  participant_id: string
  user_id: string
  display_name: string
  role: string
  joined_at_ms: number
}

/** A participant was present from one time to the other. */
export interface Stay {
  person: AttendanceEntry
  fromMs: number
  /** Null: present until the end. */
  toMs: number | null
}

/** A participant had the hand up. */
export interface RaisedHand {
  participantId: string
  fromMs: number
  /** Null: still up when the participant left, or at the end. */
  toMs: number | null
}

/** Who was present when, derived from the event log. */
export class Attendance {
  readonly #lines: LogLine[]
  readonly #hands: LogLine[]

  constructor(lines: readonly LogLine[]) {
    this.#lines = lines.filter(line => line.name === PARTICIPANT_PRESENT || line.name === PARTICIPANT_LEFT)
    this.#hands = lines.filter(line => line.name === HAND_CHANGED)
  }

  /** Participants present at that time, moderators first, then in order of joining. */
  at(atMs: number): AttendanceEntry[] {
    const here = new Map<string, AttendanceEntry>()
    for (const line of this.#lines) {
      if (line.at_ms > atMs) break
      const person = line.body as AttendanceEntry
      if (line.name === PARTICIPANT_PRESENT) here.set(person.participant_id, person)
      else here.delete(person.participant_id)
    }
    return [...here.values()].sort((a, b) => rank(a) - rank(b) || a.joined_at_ms - b.joined_at_ms)
  }

  /** Times of all changes, in order. */
  changeTimes(): number[] {
    return this.#lines.map(line => line.at_ms)
  }

  /** Everybody who ever took part, with their latest name. */
  allParticipants(): Map<string, AttendanceEntry> {
    const all = new Map<string, AttendanceEntry>()
    for (const line of this.#lines) {
      const person = line.body as AttendanceEntry
      if (line.name === PARTICIPANT_PRESENT) all.set(person.participant_id, person)
    }
    return all
  }

  /** In order of joining. A participant whom the session has forgotten and knows again has several. */
  stays(): Stay[] {
    const stays: Stay[] = []
    const open = new Map<string, Stay>()
    const known = new Set<string>()
    for (const { name, at_ms, body } of this.#lines) {
      const person = body as AttendanceEntry
      const stay = open.get(person.participant_id)
      if (name === PARTICIPANT_LEFT) {
        if (stay) stay.toMs = at_ms
        open.delete(person.participant_id)
      } else if (stay) stay.person = person
      else {
        // The session knows when somebody joined, also before the recording.
        const fromMs = known.has(person.participant_id) ? at_ms : person.joined_at_ms
        const begun: Stay = { person, fromMs, toMs: null }
        known.add(person.participant_id)
        open.set(person.participant_id, begun)
        stays.push(begun)
      }
    }
    return stays
  }

  /** In the order in which they were raised. */
  raisedHands(): RaisedHand[] {
    const hands: RaisedHand[] = []
    const up = new Map<string, RaisedHand>()
    for (const { at_ms, body } of this.#hands) {
      const { participant_id, raised_at_ms } = body as { participant_id: string; raised_at_ms: number | null }
      const before = up.get(participant_id)
      if (before?.fromMs === raised_at_ms) continue
      if (before) before.toMs = at_ms
      up.delete(participant_id)
      if (raised_at_ms === null) continue
      const hand: RaisedHand = { participantId: participant_id, fromMs: raised_at_ms, toMs: null }
      up.set(participant_id, hand)
      hands.push(hand)
    }
    return hands
  }
}

const rank = ({ role }: AttendanceEntry) => (role === 'moderator' ? 0 : 1)
