import type { ControlError, JsonObject, MediaRef } from '@lectern/protocol/control/client'
import { newId } from '../new-id.ts'
import type { Control } from '../ports.ts'

/** The server refused an offer. */
export class OfferRefused extends Error {
  override name = 'OfferRefused'
  /** The server's word for it, such as `gone`: the endpoint is no more. */
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

const ANSWER_WITHIN_MS = 15_000

/**
 * What this end offers, until it is answered. An offer is worth nothing on another life of the connection, so
 * each is made again, as a new negotiation, when the connection is back.
 */
export class Offers {
  readonly #control: Control
  readonly #logicalConnection: string | null
  /** By negotiation. */
  readonly #open = new Map<string, Offer>()
  #generation: string | null
  readonly #back: () => void
  readonly #unsubscribe: () => void

  /** `back`: the connection is there again, and what the server offered may be lost. */
  constructor(control: Control, back: () => void) {
    this.#control = control
    this.#back = back
    const binding = this.#binding()
    this.#logicalConnection = binding?.logical_connection_id ?? null
    this.#generation = binding?.binding_generation ?? null
    this.#unsubscribe = control.state.subscribe(() => this.#look())
  }

  /** Resolves when the server has taken it. */
  offer(subject: Subject, body: JsonObject): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(offer, new OfferRefused('no answer')), ANSWER_WITHIN_MS)
      const offer = { subject, body, resolve, reject, timer }
      this.#send(offer)
    })
  }

  answered(negotiationId: string, { error }: JsonObject): void {
    const offer = this.#open.get(negotiationId)
    if (offer) this.#settle(offer, error ? new OfferRefused(readReason(error as ControlError)) : null)
  }

  close(): void {
    this.#unsubscribe()
    for (const offer of [...this.#open.values()]) this.#settle(offer, new OfferRefused('closed'))
  }

  #send(offer: Offer): void {
    const negotiation_id = newId()
    this.#open.set(negotiation_id, offer)
    this.#control.sendMedia({ ...offer.subject, negotiation_id }, 'webrtc_offer', offer.body)
  }

  #settle(offer: Offer, error: Error | null): void {
    clearTimeout(offer.timer)
    for (const [id, each] of this.#open) if (each === offer) this.#open.delete(id)
    if (error) offer.reject(error)
    else offer.resolve()
  }

  #look(): void {
    const binding = this.#binding()
    const isNew = binding !== null && binding.binding_generation !== this.#generation
    // On a connection that is new to the server there will be another endpoint.
    if (!isNew || binding.logical_connection_id !== this.#logicalConnection) return
    this.#generation = binding.binding_generation
    const again = [...this.#open.values()]
    this.#open.clear()
    for (const offer of again) this.#send(offer)
    this.#back()
  }

  #binding() {
    const state = this.#control.state.get()
    return state.is === 'ready' ? state.binding : null
  }
}
