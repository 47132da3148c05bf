import { type Lifetime, Observable } from '@lectern/common'
import type { IncomingSignal, SessionView } from '@lectern/control-client'
import { type EventBody, type Phrase, sessionStream } from '@lectern/protocol/control/client'
import type { CurrentSession } from './current-session.ts'
import type { Membership } from './membership.ts'
import type { Control } from './ports.ts'

export interface TranscriptState {
  /** Oldest first: all phrases of the session that this page has received. */
  phrases: readonly Phrase[]
  /** Those that have arrived in the last seconds; what was said before the join is not among them. */
  recent: readonly Phrase[]
  /** Partial phrases by participant id. */
  partials: ReadonlyMap<string, string>
}

/** Some hours of speech; the server keeps much less. */
const MAX_PHRASES = 10_000
/** Measured here: the clocks of transcriber, server and page differ by seconds. */
const RECENT_MS = 6_000

/** The live transcript of the session. */
export class Transcript extends Observable<TranscriptState> {
  readonly #membership: Membership
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #recentTimers = new Set<ReturnType<typeof setTimeout>>()
  #session: string | null = null

  constructor(control: Control, membership: Membership, session: CurrentSession, lifetime: Lifetime) {
    super({ phrases: [], recent: [], partials: new Map() })
    this.#membership = membership
    lifetime.defer(session.subscribe(() => this.#onSession(session.get())))
    lifetime.defer(control.onSignal(signal => this.#onSignal(signal)))
    lifetime.defer(
      control.onEvent(({ name, body }) => {
        if (name !== 'transcription.phrase') return
        this.#setPartial((body as EventBody<'transcription.phrase'>).phrase.participant_id, '')
      }),
    )
    lifetime.defer(() => {
      for (const timer of [...this.#timers.values(), ...this.#recentTimers]) clearTimeout(timer)
    })
  }

  #onSession(session: SessionView | null): void {
    if (!session) return
    const { conference_session_id: id, phrases } = session
    const isSame = id === this.#session
    const known = isSame ? this.get().phrases : []
    this.#session = id
    const ids = new Set(known.map(each => each.phrase_id))
    const added = phrases.filter(each => !ids.has(each.phrase_id))
    if (added.length > 0 || known !== this.get().phrases)
      this.set({ ...this.get(), phrases: [...known, ...added].slice(-MAX_PHRASES) })
    if (isSame && added.length > 0) this.#addRecent(added)
  }

  #addRecent(added: readonly Phrase[]): void {
    this.set({ ...this.get(), recent: [...this.get().recent, ...added] })
    const timer = setTimeout(() => {
      this.#recentTimers.delete(timer)
      this.set({ ...this.get(), recent: this.get().recent.filter(each => !added.includes(each)) })
    }, RECENT_MS)
    this.#recentTimers.add(timer)
  }

  #onSignal({ name, streamId, sourceId, body, ttlMs }: IncomingSignal): void {
    const state = this.#membership.get()
    if (name !== 'transcription.partial' || state.is !== 'joined') return
    if (streamId !== sessionStream(state.participant.sessionId)) return
    this.#setPartial(sourceId, (body as { text: string }).text)
    this.#timers.set(
      sourceId,
      setTimeout(() => this.#setPartial(sourceId, ''), ttlMs),
    )
  }

  #setPartial(participantId: string, text: string): void {
    clearTimeout(this.#timers.get(participantId))
    this.#timers.delete(participantId)
    const before = this.get().partials
    if ((before.get(participantId) ?? '') === text) return
    const partials = new Map(before)
    if (text) partials.set(participantId, text)
    else partials.delete(participantId)
    this.set({ ...this.get(), partials })
  }
}
