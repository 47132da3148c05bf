import {
  type AccountEventName,
  type AccountState,
  accountStream,
  type ControlMedia,
  type EventBody,
  type SessionState,
  type SignalName,
  sessionStream,
  type Target,
} from '@lectern/protocol/control'
import type { User } from '../accounts/ports.ts'
import type { Clock } from '../clock.ts'
import type { EventSink, LobbyEvent, SessionEvent } from '../sessions/ports.ts'
import { Stream } from './stream.ts'

interface Signal {
  sourceId: string
  name: SignalName
  body: unknown
  ttlMs: number
  /** The sender numbers its own; the server's are numbered here. */
  seq?: string
}

type AccountEvent = { [N in AccountEventName]: { name: N; body: EventBody<N> } }[AccountEventName]

export const sessionStreamId = (sessionId: number): string => sessionStream(String(sessionId))

/** All streams that a connection may subscribe to. Sessions publish here. */
export class Streams implements EventSink {
  readonly #streams = new Map<string, Stream>()
  readonly #accounts = new Map<number, AccountState>()
  readonly #clock: Clock
  readonly #sessionState: (sessionId: number) => SessionState | null
  #lastEpoch = 0
  #lastVersion = 0
  #signals = 0

  constructor(clock: Clock, sessionState: (sessionId: number) => SessionState | null) {
    this.#clock = clock
    this.#sessionState = sessionState
  }

  get size(): number {
    return this.#streams.size
  }

  publish(sessionId: number, { name, body, version }: SessionEvent): void {
    this.session(sessionId).append(name, body, String(version))
  }

  detach(sessionId: number, participantId: string): void {
    const stream = this.#streams.get(sessionStreamId(sessionId))
    if (stream) this.#release(stream, participantId)
  }

  close(sessionId: number): void {
    const stream = this.#streams.get(sessionStreamId(sessionId))
    if (!stream) return
    for (const key of [...stream.subscribers.keys()]) this.#release(stream, key)
    this.#streams.delete(stream.id)
  }

  /** How many receive what is published on the stream. */
  receivers(streamId: string): number {
    return this.#streams.get(streamId)?.subscribers.size ?? 0
  }

  /** The stream of a conference session, begun with its first event or listener. */
  session(sessionId: number): Stream {
    const streamId = sessionStreamId(sessionId)
    const known = this.#streams.get(streamId)
    if (known) return known
    const aggregate: Target = { kind: 'conference_session', id: String(sessionId) }
    return this.#begin(streamId, aggregate, () => this.#sessionState(sessionId))
  }

  /** The stream of an account, with what the account is like now. */
  account(user: Pick<User, 'id' | 'displayName'>): Stream {
    const id = String(user.id)
    const known = this.#streams.get(accountStream(id))
    this.accountChanged(user)
    if (known) return known
    this.#accounts.set(user.id, { user_id: id, display_name: user.displayName })
    const aggregate: Target = { kind: 'account', id }
    return this.#begin(accountStream(id), aggregate, () => this.#accounts.get(user.id) ?? null)
  }

  /** Told to all connections of the person, if there are any and it is news. */
  accountChanged({ id, displayName }: Pick<User, 'id' | 'displayName'>): void {
    const state = this.#accounts.get(id)
    if (!state || state.display_name === displayName) return
    this.#accounts.set(id, { ...state, display_name: displayName })
    this.publishToAccount(id, { name: 'account.changed', body: { display_name: displayName } })
  }

  /** To all connections of the person, if there are any. */
  publishToAccount(userId: number, { name, body }: AccountEvent): void {
    this.#lastVersion = Math.max(this.#lastVersion + 1, this.#clock())
    const stream = this.#streams.get(accountStream(String(userId)))
    stream?.append(name, body, String(this.#lastVersion))
  }

  notifyAccount(userId: number, event: LobbyEvent): void {
    this.publishToAccount(userId, event)
  }

  /** A stream of an account that nobody hears is forgotten; one of a session lives as long as the session. */
  unsubscribe(stream: Stream, key: string): void {
    stream.subscribers.delete(key)
    if (stream.subscribers.size > 0 || stream.aggregate.kind !== 'account') return
    if (this.#streams.get(stream.id) === stream) this.#streams.delete(stream.id)
    this.#accounts.delete(Number(stream.aggregate.id))
  }

  /** Lossy, to everybody who hears the stream but the one named. */
  signal(streamId: string, signal: Signal, exceptKey?: string): void {
    const stream = this.#streams.get(streamId)
    if (!stream) return
    const tail = this.signalTail(stream, signal)
    for (const [key, listener] of stream.subscribers) if (key !== exceptKey) listener.signal(tail)
  }

  /** To one participant of a session, as an offer of media. */
  sendMediaTo(streamId: string, key: string, content: Omit<ControlMedia, 'binding'>): void {
    this.#streams.get(streamId)?.subscribers.get(key)?.media(JSON.stringify(content).slice(1))
  }

  signalTail(stream: Stream, { sourceId, name, body, ttlMs, seq }: Signal): string {
    const rest = {
      stream_id: stream.id,
      stream_epoch: stream.epoch,
      source_id: sourceId,
      signal_seq: seq ?? String(++this.#signals),
      ttl_ms: ttlMs,
      name,
      body,
    }
    return JSON.stringify(rest).slice(1)
  }

  #begin(id: string, aggregate: Target, state: () => SessionState | AccountState | null): Stream {
    // Greater than every epoch before, also than those before a restart.
    this.#lastEpoch = Math.max(this.#lastEpoch + 1, this.#clock())
    const stream = new Stream(id, String(this.#lastEpoch), aggregate, state)
    this.#streams.set(id, stream)
    return stream
  }

  #release(stream: Stream, key: string): void {
    const listener = stream.subscribers.get(key)
    stream.subscribers.delete(key)
    listener?.detached(stream, stream.seq)
  }
}
