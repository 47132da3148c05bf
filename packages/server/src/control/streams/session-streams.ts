import { sessionStream } from '@lectern/protocol/control'
import type { SessionEvent } from '../../sessions/ports.ts'
import { sessionEpoch } from './epochs.ts'
import { SESSION_WINDOW, type Signal, Stream, type StreamEncoder, type Subscriber } from './stream.ts'

/** The sessions that this server runs. */
export interface SessionSource {
  /** Null when this server does not run the session. */
  incarnation(sessionId: number): number | null
  /** The state after the last event published; null as above. */
  state(sessionId: number): object | null
}

interface SessionStreamsOptions {
  sessions: SessionSource
  encoder: StreamEncoder
}

/** The sender numbers the signals of a client; signals of the server are numbered here. */
export type SessionSignal = Omit<Signal, 'seq'> & { seq?: string }

/** The streams of the sessions that this server runs. Each exists from its first event or subscriber on. */
export class SessionStreams {
  readonly #parts: SessionStreamsOptions
  readonly #streams = new Map<number, Stream>()
  #signals = 0

  constructor(parts: SessionStreamsOptions) {
    this.#parts = parts
  }

  get size(): number {
    return this.#streams.size
  }

  /** Throws when this server does not run the session. */
  open(sessionId: number): Stream {
    const stream = this.#findOrCreate(sessionId)
    if (!stream) throw new Error(`Session ${sessionId} is not open on this server.`)
    return stream
  }

  publish(sessionId: number, { name, body, version }: SessionEvent): void {
    this.#findOrCreate(sessionId)?.publish({ name, body, version: String(version) })
  }

  detach(sessionId: number, key: string): void {
    this.#streams.get(sessionId)?.detach(key)
  }

  /** Ends the stream for all. */
  close(sessionId: number): void {
    const stream = this.#streams.get(sessionId)
    if (!stream) return
    for (const key of [...stream.subscribers.keys()]) stream.detach(key)
    this.#streams.delete(sessionId)
  }

  isSubscribed(sessionId: number, key: string): boolean {
    return this.#streams.get(sessionId)?.subscribers.has(key) ?? false
  }

  /** Participants and observers, those who are away included. */
  subscribersOf(sessionId: number): Subscriber[] {
    return [...(this.#streams.get(sessionId)?.subscribers.values() ?? [])]
  }

  /** How many receive what is published in the session. */
  subscriberCount(sessionId: number): number {
    return this.#streams.get(sessionId)?.subscribers.size ?? 0
  }

  /** Lossy, to all subscribers except the one named. */
  signal(sessionId: number, signal: SessionSignal, exceptKey?: string): void {
    const stream = this.#streams.get(sessionId)
    if (stream) stream.signal({ ...signal, seq: signal.seq ?? String(++this.#signals) }, exceptKey)
  }

  /** Lossy, to one subscriber. */
  signalTo(sessionId: number, key: string, signal: SessionSignal): void {
    const stream = this.#streams.get(sessionId)
    stream?.signalTo(key, { ...signal, seq: signal.seq ?? String(++this.#signals) })
  }

  /** Sends to one subscriber, such as an offer of media. */
  send(sessionId: number, key: string, encoded: string): void {
    this.#streams.get(sessionId)?.subscribers.get(key)?.onMessage(encoded)
  }

  #findOrCreate(sessionId: number): Stream | null {
    const known = this.#streams.get(sessionId)
    if (known) return known
    const { sessions, encoder } = this.#parts
    const incarnation = sessions.incarnation(sessionId)
    if (incarnation === null) return null
    const stream = new Stream({
      id: sessionStream(String(sessionId)),
      epoch: sessionEpoch(incarnation),
      subject: { kind: 'conference_session', id: String(sessionId) },
      encoder,
      state: () => sessions.state(sessionId),
      window: SESSION_WINDOW,
    })
    this.#streams.set(sessionId, stream)
    return stream
  }
}
