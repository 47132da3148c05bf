import type { MediaMessage } from '@lectern/control-client'
import type { MediaRef, MediaSource, SubscribeOffer, Target } from '@lectern/protocol/control/client'
import {
  type Control,
  type MediaTransports,
  type OpenedEndpoint,
  type OpenTransports,
  type ParticipantRef,
  type Producer,
  type ReceivingCapabilities,
  sessionTarget,
  type TransportState,
} from '../ports.ts'
import { Offers } from './offers.ts'
import { Subscriptions } from './subscriptions.ts'

export interface EndpointTransportOptions {
  control: Control
  openTransports: OpenTransports
  /** Announced with the join, which then opens the endpoint; by default each endpoint is opened after it. */
  receivingCapabilities?: ReceivingCapabilities
  /** For networks that drop UDP, and for tests. */
  tcpOnly?: boolean
}

export interface EndpointOptions {
  /** Abandons the opening: its commands must not reach the server after those for the next endpoint. */
  signal: AbortSignal
  onState(state: TransportState): void
  /** The server does not know the endpoint any more. */
  onGone(): void
  /** An endpoint that was opened with the join, and receives already. */
  opened: OpenedEndpoint | null
  /** The messages that have arrived since, perhaps for it. */
  early: readonly MediaMessage[]
}

/** Commands for an endpoint that may be gone are not retried for long. */
const QUICK = { ttlMs: 3_000 }

/** A publication keeps its id on every endpoint; the client chooses it. */
export interface PublishOptions {
  publicationId: string
  source: MediaSource
  track: MediaStreamTrack
  paused: boolean
  isScalable: boolean
}

/**
 * A pair of WebRTC transports to the server, for one participant and one route. Never reused after it was closed.
 */
export class Endpoint {
  readonly subscriptions: Subscriptions
  readonly participant: ParticipantRef
  readonly routeGeneration: string
  /** The media worker. */
  readonly nodeId: string
  readonly #control: Control
  readonly #opened: OpenedEndpoint
  readonly #transports: MediaTransports
  readonly #offers: Offers
  readonly #unsubscribe: () => void
  /** Aborts pending commands. */
  readonly #closing = new AbortController()

  static async open(
    parts: EndpointTransportOptions,
    participant: ParticipantRef,
    { signal, onState, onGone, opened: known, early }: EndpointOptions,
  ) {
    const { control, openTransports, tcpOnly } = parts
    const body = tcpOnly ? { tcp_only: true } : {}
    const opened =
      known ?? (await control.command('media.open', sessionTarget(participant), body, { signal }))
    const endpoint = new Endpoint(control, participant, opened, await openTransports(opened, onState), onGone)
    if (signal.aborted) endpoint.close()
    signal.addEventListener('abort', () => endpoint.close(), { signal: endpoint.#closing.signal })
    if (known) for (const message of early) endpoint.#onMedia(message)
    try {
      if (!known) await endpoint.#requestOffers()
      return endpoint
    } catch (error) {
      endpoint.close()
      throw error
    }
  }

  private constructor(
    control: Control,
    participant: ParticipantRef,
    opened: OpenedEndpoint,
    transports: MediaTransports,
    onLost: () => void,
  ) {
    this.#control = control
    this.participant = participant
    this.#opened = opened
    this.#transports = transports
    this.routeGeneration = opened.route_generation
    this.nodeId = opened.rtc_node_id
    this.subscriptions = new Subscriptions(transports)
    const { signal } = this.#closing
    this.#offers = new Offers(
      control,
      () => void this.#requestOffers().catch(() => signal.aborted || onLost()),
    )
    this.#unsubscribe = control.onMedia(message => this.#onMedia(message))
  }

  publish({ publicationId, source, track, paused, isScalable }: PublishOptions): Promise<Producer> {
    const scope = source === 'microphone' || source === 'screen_audio' ? 'audio' : 'video'
    return this.#transports.produce({ track, source, isScalable }, announcement =>
      this.#offers.offer(this.#subject(publicationId, scope), {
        format: 'ortc',
        source,
        paused,
        ...announcement,
      }),
    )
  }

  setPaused = (publicationId: string, paused: boolean) =>
    this.#control.command(paused ? 'media.pause' : 'media.resume', this.#target, {
      publication_id: publicationId,
    })

  unpublish = (publicationId: string) =>
    this.#control.command('media.close', this.#target, { publication_id: publicationId })

  getStats = () => this.#transports.getStats()

  async restartIce(signal: AbortSignal): Promise<void> {
    const { endpoint_id } = this.#opened
    const options = { ...QUICK, signal }
    const restart = await this.#control.command('media.restart_ice', this.#target, { endpoint_id }, options)
    await this.#transports.restartIce(restart)
  }

  /**
   * Closes the client side only: the server closes its side when another endpoint is opened, or with the
   * participant.
   */
  close(): void {
    this.#closing.abort()
    this.#unsubscribe()
    this.#offers.close()
    this.#transports.close()
  }

  /** Requests the offers for remote publications; a repeated request yields those that have no answer yet. */
  #requestOffers(): Promise<unknown> {
    const { endpoint_id } = this.#opened
    const body = { endpoint_id, rtp_capabilities: this.#transports.rtpCapabilities }
    return this.#control.command('media.receive', this.#target, body, {
      ...QUICK,
      signal: this.#closing.signal,
    })
  }

  get #target(): Target {
    return sessionTarget(this.participant)
  }

  #subject(publicationId: string, scope: MediaRef['scope']): Omit<MediaRef, 'negotiation_id'> {
    return {
      conference_session_id: this.participant.sessionId,
      participant_instance_id: this.participant.participantId,
      publication_id: publicationId,
      endpoint_id: this.#opened.endpoint_id,
      rtc_node_id: this.nodeId,
      route_generation: this.routeGeneration,
      scope,
    }
  }

  #onMedia({ media, name, body }: MediaMessage): void {
    if (media.endpoint_id !== this.#opened.endpoint_id) return
    if (name === 'webrtc_answer') this.#offers.handleAnswer(media.negotiation_id, body)
    if (name === 'webrtc_offer') void this.#onOffer(media, body as unknown as SubscribeOffer)
  }

  /** A lost answer is harmless: the server offers again after a reconnect. */
  async #onOffer(media: MediaRef, offer: SubscribeOffer): Promise<void> {
    const body = await this.subscriptions.handleOffer(media.publication_id, offer)
    this.#control.sendMedia(media, 'webrtc_answer', body)
  }
}
