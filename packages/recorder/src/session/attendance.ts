import type { LogLine } from './log-file.ts'

export const PARTICIPANT_PRESENT = 'recorder.person_here'
export const PARTICIPANT_LEFT = 'recorder.person_gone'

/** A participant as logged in the events, once per change. */
export interface AttendanceEntry {
  [key: string]: string | number
  participant_id: string
  user_id: string
  display_name: string
  role: string
  joined_at_ms: number
}

/** Who was present when, derived from the event log. */
export class Attendance {
  readonly #lines: LogLine[]

  constructor(lines: LogLine[]) {
    this.#lines = lines.filter(line => line.name === PARTICIPANT_PRESENT || line.name === PARTICIPANT_LEFT)
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
}

const rank = ({ role }: AttendanceEntry) => (role === 'moderator' ? 0 : 1)
