export type Unsubscribe = () => void

/**
 * Carries events to all servers of an installation; each delivers them to its own connections. Delivery is at most
 * once, in the order of one publisher. An event MUST be representable as JSON.
 */
export interface EventBus<Event> {
  publish(topic: string, event: Event): void
  /** Publishes the event to each of the topics, at the cost of about one. */
  publishToMany(topics: readonly string[], event: Event): void
  subscribe(topic: string, handler: (event: Event) => void): Unsubscribe
}

/** The bus of an installation with one server: handlers run before `publish` returns. */
export class InMemoryEventBus<Event> implements EventBus<Event> {
  readonly #handlers = new Map<string, Set<(event: Event) => void>>()

  publish(topic: string, event: Event): void {
    for (const handler of [...(this.#handlers.get(topic) ?? [])]) handler(event)
  }

  publishToMany(topics: readonly string[], event: Event): void {
    for (const topic of topics) this.publish(topic, event)
  }

  subscribe(topic: string, handler: (event: Event) => void): Unsubscribe {
    const handlers = this.#handlers.get(topic) ?? new Set()
    // A handler of its own for each subscription, so that ending one leaves the others.
    const own = (event: Event) => handler(event)
    this.#handlers.set(topic, handlers.add(own))
    return () => {
      handlers.delete(own)
      if (handlers.size === 0 && this.#handlers.get(topic) === handlers) this.#handlers.delete(topic)
    }
  }
}
