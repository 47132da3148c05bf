import { type EventBus, InMemoryEventBus, type Unsubscribe } from '../streams/event-bus.ts'
import type { ClusterNetwork } from './network.ts'

/**
 * An event bus over the network. Handlers of this server run before `publish` returns, as in memory; those of other
 * servers a moment later, or never: the store is the truth.
 */
export class NatsEventBus<Event> implements EventBus<Event> {
  readonly #local = new InMemoryEventBus<Event>()
  readonly #network: ClusterNetwork
  readonly #self: string
  readonly #name: string
  readonly #topics = new Map<string, { handlers: number; close: () => void }>()

  constructor(network: ClusterNetwork, { self, name }: { self: string; name: string }) {
    this.#network = network
    this.#self = self
    this.#name = name
  }

  publish(topic: string, event: Event): void {
    this.#local.publish(topic, event)
    this.#network.publish(this.#subjectOf(topic), event)
  }

  subscribe(topic: string, handler: (event: Event) => void): Unsubscribe {
    const unsubscribe = this.#local.subscribe(topic, handler)
    this.#open(topic)
    let isSubscribed = true
    return () => {
      if (!isSubscribed) return
      isSubscribed = false
      unsubscribe()
      this.#closeIfUnused(topic)
    }
  }

  #open(topic: string): void {
    const known = this.#topics.get(topic)
    if (known) known.handlers += 1
    else {
      const close = this.#network.subscribe(this.#subjectOf(topic), (event, { from }) => {
        if (from !== this.#self) this.#local.publish(topic, event as Event)
      })
      this.#topics.set(topic, { handlers: 1, close })
    }
  }

  #closeIfUnused(topic: string): void {
    const known = this.#topics.get(topic)
    if (!known || --known.handlers > 0) return
    known.close()
    this.#topics.delete(topic)
  }

  #subjectOf(topic: string): string {
    return `events.${this.#name}.${topic}`
  }
}
