/** A participant as logged in the events, once per change. */
export interface AttendanceEntry {
  [key: string]: string | number | boolean | undefined
  participant_id: string
  user_id: string
  display_name: string
  role: string
  joined_at_ms: number
  /** Whether a moderator shows this person large to everybody. */
  is_spotlit?: boolean
}

interface Change {
  atMs: number
  participantId: string
  /** Null: left. */
  person: AttendanceEntry | null
}

/** More changes than a scene can show: when composition is that far behind, older ones merge. */
const CHANGES_MAX = 10_000

/** The people who were present at a time, as far back as the composition needs it. */
export class PresenceHistory {
  /** The people who were present before the changes. */
  readonly #before = new Map<string, AttendanceEntry>()
  #changes: Change[] = []
  #lastChangeMs: number | null = null

  /** Of changes at the same time, the last one counts. */
  add(atMs: number, participantId: string, person: AttendanceEntry | null): void {
    const index = this.#changes.findLastIndex(change => change.atMs <= atMs) + 1
    this.#changes.splice(index, 0, { atMs, participantId, person })
    this.#lastChangeMs = Math.max(atMs, this.#lastChangeMs ?? atMs)
    if (this.#changes.length > CHANGES_MAX) this.#merge(CHANGES_MAX / 2)
  }

  /** Null: nobody was ever present. */
  get lastChangeMs(): number | null {
    return this.#lastChangeMs
  }

  /** Participants present at that time, moderators first, then in order of joining. */
  at(atMs: number): AttendanceEntry[] {
    const here = new Map(this.#before)
    for (const change of this.#changes) {
      if (change.atMs > atMs) break
      apply(here, change)
    }
    return [...here.values()].sort((a, b) => rank(a) - rank(b) || a.joined_at_ms - b.joined_at_ms)
  }

  /** Times of all changes that are not pruned, in order. */
  changeTimes(): number[] {
    return this.#changes.map(({ atMs }) => atMs)
  }

  /** Merges changes before the time: who was present earlier is no longer needed. */
  prune(beforeMs: number): void {
    const first = this.#changes.findIndex(({ atMs }) => atMs > beforeMs)
    this.#merge(first < 0 ? this.#changes.length : first)
  }

  #merge(count: number): void {
    for (const change of this.#changes.splice(0, count)) apply(this.#before, change)
  }
}

function apply(here: Map<string, AttendanceEntry>, { participantId, person }: Change): void {
  if (person) here.set(participantId, person)
  else here.delete(participantId)
}

const rank = ({ role }: AttendanceEntry) => (role === 'moderator' ? 0 : 1)
