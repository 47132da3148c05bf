import type { JsonObject, Target } from '@lectern/protocol/control'

/** What can be replayed of a stream. */
export const WINDOW_EVENTS = 1_000
const WINDOW_CHARACTERS = 1_048_576

/** An event as it is told to everybody. `tail` is the text of its envelope after the binding. */
export interface StreamEvent {
  seq: number
  name: string
  body: unknown
  tail: string
}

/** Who hears a stream. */
export interface Subscriber {
  event(event: StreamEvent): void
  signal(tail: string): void
  /** A step of a negotiation, for this listener alone. */
  media(tail: string): void
  /** Nothing follows for this listener; `until` was the last event that is theirs. */
  detached(stream: Stream, until: number): void
}

/** The events of one thing in their order, the newest of them kept for who comes back (rules Q2 to Q4, Y4). */
export class Stream {
  readonly id: string
  readonly epoch: string
  readonly aggregate: Target
  /** The state that all events so far have led to; null when there is none to tell any more. */
  readonly state: () => JsonObject | null
  readonly subscribers = new Map<string, Subscriber>()
  /** Encoded once, for all who come while nothing happens. */
  snapshot: { seq: number; tails: string[] } | null = null
  #seq = 0
  #window: string[] = []
  #characters = 0

  constructor(id: string, epoch: string, aggregate: Target, state: () => JsonObject | null) {
    this.id = id
    this.epoch = epoch
    this.aggregate = aggregate
    this.state = state
  }

  get seq(): number {
    return this.#seq
  }

  append(name: string, body: unknown, version: string): void {
    const seq = ++this.#seq
    const { id, epoch, aggregate } = this
    const rest = {
      event_id: `${id}:${epoch}:${seq}`,
      stream_id: id,
      stream_epoch: epoch,
      seq: String(seq),
      aggregate,
      aggregate_version: version,
      name,
      body,
    }
    const tail = JSON.stringify(rest).slice(1)
    this.#keep(tail)
    for (const listener of this.subscribers.values()) listener.event({ seq, name, body, tail })
  }

  /** The events after `seq` up to `until`; null when they are not all kept any more, or are still to come. */
  since(seq: number, until = this.#seq): string[] | null {
    const oldest = this.#seq - this.#window.length
    if (seq < oldest || seq > until) return null
    return this.#window.slice(seq - oldest, until - oldest)
  }

  #keep(tail: string): void {
    this.#window.push(tail)
    this.#characters += tail.length
    while (this.#window.length > WINDOW_EVENTS || this.#characters > WINDOW_CHARACTERS)
      this.#characters -= this.#window.shift()?.length ?? 0
  }
}
