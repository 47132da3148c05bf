import type { Lifetime } from '@lectern/common'
import type { ParticipantView } from '@lectern/protocol/control/client'
import type { Call } from '../../call/call.ts'
import type { JoinedState } from '../joined-state.ts'
import type { ServerClock } from '../server-clock.ts'

export interface Attendee {
  userId: string
  name: string
  isModerator: boolean
  /** How long the person was inside, as far as this page has seen it. */
  presentMs: number
}

/** The known facts of a session after its end. */
export interface LessonSummary {
  durationMs: number
  /** The others, in the order in which they were first seen. */
  others: readonly Attendee[]
  /** The name of the only moderator at the end, if that was somebody else: who has ended it for everybody. */
  endedBy: string | null
  isModerator: boolean
  /** A recording was in progress at some time. */
  wasRecorded: boolean
}

interface Presence extends Attendee {
  /** By the server's clock; null while the person is outside. */
  sinceMs: number | null
}

/** Observes a call for the page after its end. */
export class LessonLog {
  readonly #people = new Map<string, Presence>()
  readonly #clock: Pick<ServerClock, 'now'>
  #last: JoinedState | null = null
  #wasRecorded = false

  constructor(call: Pick<Call, 'get' | 'subscribe'>, clock: Pick<ServerClock, 'now'>, lifetime: Lifetime) {
    this.#clock = clock
    const update = () => {
      const state = call.get()
      if (state.is === 'joined') this.#onJoined(state)
    }
    lifetime.defer(call.subscribe(update))
    update()
  }

  /** Until now; null before the first join. */
  summary(): LessonSummary | null {
    if (!this.#last) return null
    const { me, session } = this.#last
    const now = this.#clock.now()
    const moderators = session.participants.filter(({ role }) => role === 'moderator')
    const [only] = new Set(moderators.map(({ user_id }) => user_id)).size === 1 ? moderators : []
    return {
      durationMs: Math.max(0, now - session.started_at_ms),
      others: [...this.#people.values()]
        .filter(({ userId }) => userId !== me.user_id)
        .map(({ sinceMs, ...each }) => ({ ...each, presentMs: each.presentMs + lasting(sinceMs, now) })),
      endedBy: only && only.user_id !== me.user_id ? only.display_name : null,
      isModerator: me.role === 'moderator',
      wasRecorded: this.#wasRecorded,
    }
  }

  #onJoined(state: JoinedState): void {
    const { session } = state
    const before = this.#last
    this.#last = state
    this.#wasRecorded ||= session.recording
    if (session.participants !== before?.session.participants) this.#updatePeople(session.participants)
  }

  #updatePeople(participants: readonly ParticipantView[]): void {
    const now = this.#clock.now()
    const inside = new Set(participants.map(({ user_id }) => user_id))
    for (const person of this.#people.values()) {
      if (inside.has(person.userId)) continue
      person.presentMs += lasting(person.sinceMs, now)
      person.sinceMs = null
    }
    for (const { user_id: userId, display_name: name, role, joined_at_ms } of participants) {
      const known = this.#people.get(userId)
      const isModerator = role === 'moderator'
      if (known) Object.assign(known, { name, isModerator, sinceMs: known.sinceMs ?? joined_at_ms })
      else this.#people.set(userId, { userId, name, isModerator, presentMs: 0, sinceMs: joined_at_ms })
    }
  }
}

const lasting = (sinceMs: number | null, now: number) => (sinceMs === null ? 0 : Math.max(0, now - sinceMs))
