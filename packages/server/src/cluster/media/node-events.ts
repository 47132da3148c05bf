import type { RemoteTrack } from '../../media/pipes/ports.ts'
import type { SfuEvents } from '../../media/ports.ts'
import type { ClusterNetwork } from '../network/network.ts'
import {
  eventNames,
  eventsSubject,
  type NodeEvent,
  type NodeEventName,
  sessionIdIn,
  TRACK,
} from './protocol.ts'

/** Sends what happens in the rooms of a media node to their owners. */
export class NodeEvents {
  readonly handlers: SfuEvents
  readonly #network: Pick<ClusterNetwork, 'publish'>
  readonly #ownerOf: (sessionId: number) => string | null
  readonly #numbers = new Map<string, number>()

  constructor(network: Pick<ClusterNetwork, 'publish'>, ownerOf: (sessionId: number) => string | null) {
    this.#network = network
    this.#ownerOf = ownerOf
    const handlers = eventNames.map(name => [name, (...args: unknown[]) => this.#publish(name, args)])
    this.handlers = Object.fromEntries(handlers) as SfuEvents
  }

  /** A publication has another producer. */
  track(sessionId: number, publicationId: string, track: RemoteTrack): void {
    this.#publish(TRACK, [sessionId, publicationId, track])
  }

  /** The number of the last event for a server. */
  lastFor(owner: string): number {
    return this.#numbers.get(owner) ?? 0
  }

  /** The server is gone. */
  forget(owner: string): void {
    this.#numbers.delete(owner)
  }

  #publish(name: NodeEventName, args: unknown[]): void {
    const sessionId = sessionIdIn(args)
    const owner = sessionId === undefined ? null : this.#ownerOf(sessionId)
    if (owner === null) return
    const number = this.lastFor(owner) + 1
    this.#numbers.set(owner, number)
    this.#network.publish(eventsSubject(owner), { number, name, args } satisfies NodeEvent)
  }
}
