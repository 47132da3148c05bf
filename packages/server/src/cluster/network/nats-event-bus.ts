import { type EventBus, InMemoryEventBus, type Unsubscribe } from '../../control/streams/event-bus.ts'
import type { ClusterNetwork } from './network.ts'

/** From this many topics on, one message with all of them costs less than one for each. */
const LIST_MIN = 8
/** Topics of one message, which stays far below the largest (rule NET-5). */
const LIST_MAX = 5_000

/** An event for several topics. */
interface EventList<Event> {
  topics: readonly string[]
  event: Event
}

interface BusOptions {
  /** The id of this server. */
  self: string
  name: string
  /** Whether all servers that run understand events for several topics. */
  canSendLists: () => boolean
}

/**
 * An event bus over the network. Handlers of this server run before `publish` returns, as in memory; those of other
 * servers a moment later, or never: the store is the truth.
 */
export class NatsEventBus<Event> implements EventBus<Event> {
  readonly #local = new InMemoryEventBus<Event>()
  readonly #network: ClusterNetwork
  readonly #self: string
  readonly #name: string
  readonly #canSendLists: () => boolean
  readonly #topics = new Map<string, { handlers: number; close: () => void }>()

  constructor(network: ClusterNetwork, { self, name, canSendLists }: BusOptions) {
    this.#network = network
    this.#self = self
    this.#name = name
    this.#canSendLists = canSendLists
    network.subscribe(this.#listSubject, (message, { from }) => {
      const { topics, event } = message as EventList<Event>
      if (from !== self) this.#local.publishToMany(topics, event)
    })
  }

  publish(topic: string, event: Event): void {
    this.#local.publish(topic, event)
    this.#network.publish(this.#subjectOf(topic), event)
  }

  publishToMany(topics: readonly string[], event: Event): void {
    this.#local.publishToMany(topics, event)
    if (topics.length < LIST_MIN || !this.#canSendLists())
      for (const topic of topics) this.#network.publish(this.#subjectOf(topic), event)
    else
      for (let start = 0; start < topics.length; start += LIST_MAX) {
        const list: EventList<Event> = { topics: topics.slice(start, start + LIST_MAX), event }
        this.#network.publish(this.#listSubject, list)
      }
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

  get #listSubject(): string {
    return `event_lists.${this.#name}`
  }
}
