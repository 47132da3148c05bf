import type { ControlError, JsonObject, MediaRef } from '@lectern/protocol/control/client'
import { randomId } from '../../random-id.ts'
import type { Control } from '../ports.ts'

/** The server refused an offer. */
export class OfferRefused extends Error {
  override name = 'OfferRefused'
  /** The server's reason, such as `gone`: the endpoint does not exist any more. */
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

const readReason = ({ code, extensions }: ControlError) =>
  typeof extensions?.reason === 'string' ? extensions.reason : code

type Subject = Omit<MediaRef, 'negotiation_id'>

interface Offer {
  subject: Subject
  body: JsonObject
  resolve: () => void
  reject: (error: Error) => void
  timer: ReturnType<typeof setTimeout>
}

const ANSWER_TIMEOUT_MS = 15_000

/**
 * Publish offers that wait for their answers. A negotiation does not outlive the generation of the connection, so
 * offers are repeated as new negotiations after a reconnect. A new connection has other endpoints: these offers
 * are closed before it is ready (rule C30).
 */
export class Offers {
  readonly #control: Control
  /** By negotiation id. */
  readonly #open = new Map<string, Offer>()
  /**
   * Generation on which the offers were sent; null: the connection was lost while the endpoint was being opened.
   */
  #generation: string | null
  readonly #onReconnected: () => void
  readonly #unsubscribe: () => void

  /** `onReconnected`: offers of the server may have been lost. */
  constructor(control: Control, onReconnected: () => void) {
    this.#control = control
    this.#onReconnected = onReconnected
    this.#generation = this.#currentGeneration()
    this.#unsubscribe = control.state.subscribe(() => this.#onState())
  }

  /** Resolves when the server accepts the offer. */
  offer(subject: Subject, body: JsonObject): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(offer, new OfferRefused('no answer')), ANSWER_TIMEOUT_MS)
      const offer = { subject, body, resolve, reject, timer }
      this.#send(offer)
    })
  }

  handleAnswer(negotiationId: string, { error }: JsonObject): void {
    const offer = this.#open.get(negotiationId)
    if (offer) this.#settle(offer, error ? new OfferRefused(readReason(error as ControlError)) : null)
  }

  close(): void {
    this.#unsubscribe()
    for (const offer of [...this.#open.values()]) this.#settle(offer, new OfferRefused('closed'))
  }

  #send(offer: Offer): void {
    const negotiation_id = randomId()
    this.#open.set(negotiation_id, offer)
    this.#control.sendMedia({ ...offer.subject, negotiation_id }, 'webrtc_offer', offer.body)
  }

  #settle(offer: Offer, error: Error | null): void {
    clearTimeout(offer.timer)
    for (const [id, each] of this.#open) if (each === offer) this.#open.delete(id)
    if (error) offer.reject(error)
    else offer.resolve()
  }

  #onState(): void {
    const generation = this.#currentGeneration()
    if (generation === null || generation === this.#generation) return
    this.#generation = generation
    const unanswered = [...this.#open.values()]
    this.#open.clear()
    for (const offer of unanswered) this.#send(offer)
    this.#onReconnected()
  }

  #currentGeneration(): string | null {
    const state = this.#control.state.get()
    return state.is === 'ready' ? state.binding.binding_generation : null
  }
}
