import type { HeldJob, ObservedEvent } from '@lectern/worker-kit'
import { nowMs } from '../clock/now.ts'
import { withoutText } from '../report/chat-files.ts'
import { type Attendance, HAND_CHANGED, PARTICIPANT_LEFT, PARTICIPANT_PRESENT } from './attendance.ts'
import type { EventLog } from './event-log.ts'

/** Events of a resumed connection come at most this late. */
const LATE_MS = 120_000

/**
 * Logs the events of a session, who is present and in the spotlight, and raised hands. All but events is derived from the
 * session state, because that is correct even after a disconnect.
 */
export class AttendanceLog {
  readonly #present = new Map<string, string>()
  /** Since when hands are up, by participant. */
  readonly #hands = new Map<string, number>()
  /** The participants at the last refresh: the state is never modified, so that most events need no comparison. */
  #participants: Participants | null = null
  /** The account in the spotlight at the last refresh. */
  #spotlit: string | null = null
  /** When the session ended, by its own stream; null if unknown. */
  endedAtMs: number | null = null
  /** Since when the room is empty; null while somebody is present, or nobody ever was. */
  emptySinceMs: number | null
  readonly #held: Pick<HeldJob, 'session'>
  readonly #log: EventLog

  constructor(
    held: Pick<HeldJob, 'session'>,
    log: EventLog /** The log of earlier attempts. */,
    before: Attendance,
  ) {
    this.#held = held
    this.#log = log
    const present = before.presence.at(Number.POSITIVE_INFINITY)
    for (const person of present) {
      const { participant_id, user_id } = person
      this.#present.set(participant_id, JSON.stringify(person))
      const raisedAtMs = before.handsOf(user_id).upSince(participant_id)
      if (raisedAtMs !== null) this.#hands.set(participant_id, raisedAtMs)
    }
    this.emptySinceMs = present.length > 0 ? null : before.presence.lastChangeMs
  }

  get presentCount() {
    return this.#present.size
  }

  /** The ids of the participants whom a moderator shows large to everybody: one person may have several devices. */
  get spotlit(): ReadonlySet<string> {
    const shown = (this.#participants ?? []).filter(each => each.user_id === this.#spotlit)
    return new Set(shown.map(each => each.participant_id))
  }

  get isEnded() {
    return this.endedAtMs !== null
  }

  onEvent({ name, body, atMs }: ObservedEvent) {
    this.refresh(atMs, name !== 'session.snapshot')
    if (name !== 'session.snapshot') this.#log.add(name, isChatMessage(name) ? withoutText(body) : body, atMs)
    if (name === 'session.ended') this.endedAtMs ??= atMs
  }

  /**
   * Call periodically: after a disconnect the state may change without an event. `isLive`: who is new has just come, whatever
   * the clock of the server says.
   */
  refresh(atMs = nowMs(), isLive = false) {
    const session = this.#held.session()
    if (!session || session.ended !== null) return
    const { participants, spotlight_user_id } = session
    if (participants === this.#participants && spotlight_user_id === this.#spotlit) return
    this.#participants = participants
    this.#spotlit = spotlight_user_id
    const left = new Set(this.#present.keys())
    for (const participant of participants) {
      const { participant_id, user_id, display_name, role, joined_at_ms } = participant
      const isSpotlit = user_id === spotlight_user_id
      const person = {
        ...{ participant_id, user_id, display_name, role, joined_at_ms },
        ...(isSpotlit && { is_spotlit: true }),
      }
      left.delete(participant_id)
      const text = JSON.stringify(person)
      if (this.#present.get(participant_id) !== text) {
        const isWrong = isLive && (joined_at_ms > atMs || atMs - joined_at_ms > LATE_MS)
        const isCorrected = isWrong && !this.#present.has(participant_id)
        this.#present.set(participant_id, text)
        const known = isCorrected ? { ...person, joined_at_ms: Math.round(atMs) } : person
        this.#log.add(PARTICIPANT_PRESENT, known, atMs)
      }
      this.#onHand(participant_id, participant.hand_raised_at_ms, atMs)
    }
    for (const participant_id of left) {
      this.#present.delete(participant_id)
      this.#hands.delete(participant_id)
      this.#log.add(PARTICIPANT_LEFT, { participant_id }, atMs)
    }
    if (this.#present.size > 0) this.emptySinceMs = null
    else if (left.size > 0) this.emptySinceMs = atMs
  }

  #onHand(participant_id: string, raised_at_ms: number | null, atMs: number) {
    if ((this.#hands.get(participant_id) ?? null) === raised_at_ms) return
    if (raised_at_ms === null) this.#hands.delete(participant_id)
    else this.#hands.set(participant_id, raised_at_ms)
    this.#log.add(HAND_CHANGED, { participant_id, raised_at_ms }, atMs)
  }
}

type Participants = NonNullable<ReturnType<HeldJob['session']>>['participants']

const isChatMessage = (name: string) => name === 'chat.message' || name === 'chat.message_changed'
