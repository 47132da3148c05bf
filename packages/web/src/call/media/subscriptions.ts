import type { ControlErrorCode, JsonObject, SubscribeOffer } from '@lectern/protocol/control/client'
import { Observable } from '../../observable.ts'
import type { Peer, Receiver } from '../ports.ts'

/** Somebody else's publication, as it arrives here. */
export interface Subscription {
  consumerId: string
  track: MediaStreamTrack
  newestFrame(): number
}

/** What the server offers to this end, by publication. */
export class Subscriptions extends Observable<ReadonlyMap<string, Subscription>> {
  readonly #peer: Peer
  /** By consumer. An offer may come again, when its answer was lost; it is the same consumer then. */
  readonly #receivers = new Map<string, { publicationId: string; receiver: Promise<Receiver> }>()

  constructor(peer: Peer) {
    super(new Map())
    this.#peer = peer
  }

  /** Resolves with the body of the answer. */
  async offered(publicationId: string, offer: SubscribeOffer): Promise<JsonObject> {
    const { consumer_id: consumerId } = offer
    try {
      const { track, dtls_parameters, newestFrame } = await this.#receive(publicationId, offer)
      // Dropped, or replaced by a newer offer, in the meantime.
      if (!this.#receivers.has(consumerId)) return refusal('invalid_argument', 'replaced')
      this.set(new Map(this.get()).set(publicationId, { consumerId, track, newestFrame }))
      return { format: 'ortc', ...(dtls_parameters && { dtls_parameters }) }
    } catch (error) {
      this.#receivers.delete(consumerId)
      return refusal('unsupported_feature', String(error))
    }
  }

  /** The publication is no more. */
  drop(publicationId: string): void {
    for (const [id, each] of [...this.#receivers])
      if (each.publicationId === publicationId) this.#release(id, each.receiver)
    if (!this.get().has(publicationId)) return
    const rest = new Map(this.get())
    rest.delete(publicationId)
    this.set(rest)
  }

  #receive(publicationId: string, offer: SubscribeOffer): Promise<Receiver> {
    const known = this.#receivers.get(offer.consumer_id)
    if (known) return known.receiver
    this.drop(publicationId)
    const receiver = this.#peer.receive(publicationId, offer)
    this.#receivers.set(offer.consumer_id, { publicationId, receiver })
    return receiver
  }

  #release(consumerId: string, receiver: Promise<Receiver>): void {
    this.#receivers.delete(consumerId)
    receiver.then(each => each.close()).catch(() => {})
  }
}

/** The message is for the log of the server. */
const refusal = (code: ControlErrorCode, message: string): JsonObject => ({
  error: { code, message: message.slice(0, 500) },
})
