import { Observable } from '@lectern/common'
import type { ControlErrorCode, JsonObject, SubscribeOffer } from '@lectern/protocol/control/client'
import type { Consumer, MediaTransports } from '../ports.ts'

/** A remote publication that is received. */
export interface Subscription {
  consumerId: string
  track: MediaStreamTrack
  lastFrameTimestamp(): number
}

/** The server's offers, by publication id. */
export class Subscriptions extends Observable<ReadonlyMap<string, Subscription>> {
  readonly #transports: MediaTransports
  /** By consumer id. The server repeats an offer whose answer was lost; the consumer is the same. */
  readonly #consumers = new Map<string, { publicationId: string; receiver: Promise<Consumer> }>()

  constructor(transports: MediaTransports) {
    super(new Map())
    this.#transports = transports
  }

  /** Resolves with the body of the answer. */
  async handleOffer(publicationId: string, offer: SubscribeOffer): Promise<JsonObject> {
    const { consumer_id: consumerId } = offer
    try {
      const { track, dtls_parameters, lastFrameTimestamp } = await this.#consume(publicationId, offer)
      // Removed, or replaced by a newer offer, meanwhile.
      if (!this.#consumers.has(consumerId)) return refusal('invalid_argument', 'replaced')
      this.set(new Map(this.get()).set(publicationId, { consumerId, track, lastFrameTimestamp }))
      return { format: 'ortc', ...(dtls_parameters && { dtls_parameters }) }
    } catch (error) {
      this.#consumers.delete(consumerId)
      return refusal('unsupported_feature', String(error))
    }
  }

  /** The publication has ended. */
  remove(publicationId: string): void {
    for (const [id, each] of [...this.#consumers])
      if (each.publicationId === publicationId) this.#release(id, each.receiver)
    if (!this.get().has(publicationId)) return
    const rest = new Map(this.get())
    rest.delete(publicationId)
    this.set(rest)
  }

  #consume(publicationId: string, offer: SubscribeOffer): Promise<Consumer> {
    const known = this.#consumers.get(offer.consumer_id)
    if (known) return known.receiver
    this.remove(publicationId)
    const receiver = this.#transports.consume(publicationId, offer)
    this.#consumers.set(offer.consumer_id, { publicationId, receiver })
    return receiver
  }

  #release(consumerId: string, receiver: Promise<Consumer>): void {
    this.#consumers.delete(consumerId)
    receiver.then(each => each.close()).catch(() => {})
  }
}

/** The message goes to the server's log. */
const refusal = (code: ControlErrorCode, message: string): JsonObject => ({
  error: { code, message: message.slice(0, 500) },
})
