import type { LogLine } from './log-file.ts'

export const PERSON_HERE = 'recorder.person_here'
export const PERSON_GONE = 'recorder.person_gone'

/** A person as the session's journal tells it, each time that something about them changed. */
export interface PersonLine {
  [key: string]: string | number
  participant_id: string
  user_id: string
  display_name: string
  role: string
  joined_at_ms: number
}

/** Who was in the room when, as the session's journal tells it. */
export class People {
  readonly #lines: LogLine[]

  constructor(lines: LogLine[]) {
    this.#lines = lines.filter(line => line.name === PERSON_HERE || line.name === PERSON_GONE)
  }

  /** Who was there, in the order of joining, moderators first. */
  at(atMs: number): PersonLine[] {
    const here = new Map<string, PersonLine>()
    for (const line of this.#lines) {
      if (line.at_ms > atMs) break
      const person = line.body as PersonLine
      if (line.name === PERSON_HERE) here.set(person.participant_id, person)
      else here.delete(person.participant_id)
    }
    return [...here.values()].sort((a, b) => rank(a) - rank(b) || a.joined_at_ms - b.joined_at_ms)
  }

  /** When it changed, in order. */
  changes(): number[] {
    return this.#lines.map(line => line.at_ms)
  }

  /** Everybody who was ever there, with what they were called last. */
  everybody(): Map<string, PersonLine> {
    const all = new Map<string, PersonLine>()
    for (const line of this.#lines) {
      const person = line.body as PersonLine
      if (line.name === PERSON_HERE) all.set(person.participant_id, person)
    }
    return all
  }
}

const rank = ({ role }: PersonLine) => (role === 'moderator' ? 0 : 1)
