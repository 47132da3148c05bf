/** The thing whose events a stream carries. */
export interface StreamSubject {
  kind: 'account' | 'conference_session' | 'board_page'
  id: string
}

export interface StreamEvent {
  name: string
  body: unknown
  /** The version of the subject, after the event. */
  version: string
}

/** An event at its position in the stream. `encoded` is its text for subscribers, made once for all of them. */
export interface PublishedEvent extends StreamEvent {
  seq: number
  encoded: string
}

export interface Signal {
  sourceId: string
  name: string
  body: unknown
  ttlMs: number
  seq: string
}

/** Writes events and signals in the format of the protocol. */
export interface StreamEncoder {
  event(stream: Stream, event: StreamEvent & { seq: number }): string
  signal(stream: Stream, signal: Signal): string
}

export interface Subscriber {
  onEvent(event: PublishedEvent): void
  onSignal(encoded: string): void
  /** A message for this subscriber alone. */
  onMessage(encoded: string): void
  /** The stream ends for this subscriber; `until` is the last event that it receives. */
  onDetached(stream: Stream, until: number): void
  /** Ends the subscription, which continues on another server: its client reconnects there. */
  sendElsewhere(): void
}

/** Replay is possible for this many of the newest events, and at most this many characters (rule Y4). */
export interface Window {
  events: number
  characters: number
}

export const SESSION_WINDOW: Window = { events: 1_000, characters: 1_048_576 }

interface StreamOptions {
  id: string
  epoch: string
  subject: StreamSubject
  encoder: StreamEncoder
  /** The state after all events so far; null after its end. */
  state: () => object | null
  window: Window
}

/** The events of one subject in their order, the newest of them kept for replay (rules Q2 to Q4, Y4). */
export class Stream {
  readonly id: string
  readonly epoch: string
  readonly subject: StreamSubject
  readonly state: () => object | null
  readonly subscribers = new Map<string, Subscriber>()
  readonly #encoder: StreamEncoder
  #seq = 0
  #window: string[] = []
  #characters = 0
  readonly #limits: Window

  constructor({ id, epoch, subject, encoder, state, window }: StreamOptions) {
    this.id = id
    this.epoch = epoch
    this.subject = subject
    this.state = state
    this.#encoder = encoder
    this.#limits = window
  }

  get seq(): number {
    return this.#seq
  }

  publish({ name, body, version }: StreamEvent): void {
    const published = { name, body, version, seq: ++this.#seq, encoded: '' }
    published.encoded = this.#encoder.event(this, published)
    this.#addToWindow(published.encoded)
    for (const subscriber of this.subscribers.values()) subscriber.onEvent(published)
  }

  signal(signal: Signal, exceptKey?: string): void {
    const encoded = this.#encoder.signal(this, signal)
    for (const [key, subscriber] of this.subscribers) if (key !== exceptKey) subscriber.onSignal(encoded)
  }

  signalTo(key: string, signal: Signal): void {
    this.subscribers.get(key)?.onSignal(this.#encoder.signal(this, signal))
  }

  /** Ends the stream for one subscriber. */
  detach(key: string): void {
    const subscriber = this.subscribers.get(key)
    this.subscribers.delete(key)
    subscriber?.onDetached(this, this.#seq)
  }

  /** The events after `seq` up to `until`; null when they are not all in the window, or are still to come. */
  since(seq: number, until = this.#seq): string[] | null {
    const oldest = this.#seq - this.#window.length
    if (seq < oldest || seq > until) return null
    return this.#window.slice(seq - oldest, until - oldest)
  }

  #addToWindow(encoded: string): void {
    this.#window.push(encoded)
    this.#characters += encoded.length
    const { events, characters } = this.#limits
    while (this.#window.length > events || this.#characters > characters)
      this.#characters -= this.#window.shift()?.length ?? 0
  }
}
