import type { EventListResponse, HostedEvent } from './event-types.ts'

/**
 * The events after a position, oldest first, page by page. `last` is the position to begin with the next time: all events
 * up to it have been iterated.
 */
export class EventPages implements AsyncIterable<HostedEvent> {
  #last: number
  readonly #read: (after: number) => Promise<EventListResponse>

  constructor(after: number, read: (after: number) => Promise<EventListResponse>) {
    this.#last = after
    this.#read = read
  }

  get last(): number {
    return this.#last
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<HostedEvent, void> {
    for (;;) {
      const { events, next, last } = await this.#read(this.#last)
      yield* events
      this.#last = last
      if (next === null) return
    }
  }
}
