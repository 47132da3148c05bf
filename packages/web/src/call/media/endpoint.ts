import type { MediaMessage } from '@lectern/control-client'
import type { MediaRef, MediaSource, SubscribeOffer, Target } from '@lectern/protocol/control/client'
import {
  type Control,
  type Opened,
  type OpenPeer,
  type Peer,
  type PeerState,
  type Place,
  type Sender,
  sessionTarget,
} from '../ports.ts'
import { Offers } from './offers.ts'
import { Subscriptions } from './subscriptions.ts'

export interface EndpointParts {
  control: Control
  openPeer: OpenPeer
  /** For networks that drop UDP, and for tests. */
  tcpOnly?: boolean
}

export interface EndpointOptions {
  /** Gives up what is being opened: a command for it must not reach the server later, beside that for the next. */
  signal: AbortSignal
  onState(state: PeerState): void
  /** The server does not know the endpoint any more. */
  onLost(): void
}

/** A question about an endpoint that is no more is not worth repeating for long. */
const QUICK = { ttlMs: 3_000 }

/** What is to be published. The id is the client's, and stays the same on every endpoint. */
export interface Publishing {
  publicationId: string
  source: MediaSource
  track: MediaStreamTrack
  paused: boolean
}

/** A pair of WebRTC transports to the server: one place, one route, never used again after its end. */
export class Endpoint {
  readonly subscriptions: Subscriptions
  readonly place: Place
  readonly routeGeneration: string
  readonly #control: Control
  readonly #opened: Opened
  readonly #peer: Peer
  readonly #offers: Offers
  readonly #unsubscribe: () => void
  /** Withdraws the commands that are under way. */
  readonly #closing = new AbortController()

  static async open(parts: EndpointParts, place: Place, { signal, onState, onLost }: EndpointOptions) {
    const { control, openPeer, tcpOnly } = parts
    const body = tcpOnly ? { tcp_only: true } : {}
    const opened = await control.command('media.open', sessionTarget(place), body, { signal })
    const endpoint = new Endpoint(control, place, opened, await openPeer(opened, onState), onLost)
    if (signal.aborted) endpoint.close()
    signal.addEventListener('abort', () => endpoint.close(), { signal: endpoint.#closing.signal })
    try {
      await endpoint.#receive()
      return endpoint
    } catch (error) {
      endpoint.close()
      throw error
    }
  }

  private constructor(control: Control, place: Place, opened: Opened, peer: Peer, onLost: () => void) {
    this.#control = control
    this.place = place
    this.#opened = opened
    this.#peer = peer
    this.routeGeneration = opened.route_generation
    this.subscriptions = new Subscriptions(peer)
    const { signal } = this.#closing
    this.#offers = new Offers(control, () => void this.#receive().catch(() => signal.aborted || onLost()))
    this.#unsubscribe = control.onMedia(message => this.#hear(message))
  }

  publish({ publicationId, source, track, paused }: Publishing): Promise<Sender> {
    const scope = source === 'microphone' || source === 'screen_audio' ? 'audio' : 'video'
    return this.#peer.send(track, source, announcement =>
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

  async restartIce(signal: AbortSignal): Promise<void> {
    const { endpoint_id } = this.#opened
    const options = { ...QUICK, signal }
    const restart = await this.#control.command('media.restart_ice', this.#target, { endpoint_id }, options)
    await this.#peer.restartIce(restart)
  }

  /** On this side only: the server's side goes when another endpoint is opened, or with the participant. */
  close(): void {
    this.#closing.abort()
    this.#unsubscribe()
    this.#offers.close()
    this.#peer.close()
  }

  /** The offers of the others' publications follow; a second time those that have no answer yet. */
  #receive(): Promise<unknown> {
    const { endpoint_id } = this.#opened
    const body = { endpoint_id, rtp_capabilities: this.#peer.capabilities }
    return this.#control.command('media.receive', this.#target, body, {
      ...QUICK,
      signal: this.#closing.signal,
    })
  }

  get #target(): Target {
    return sessionTarget(this.place)
  }

  #subject(publicationId: string, scope: MediaRef['scope']): Omit<MediaRef, 'negotiation_id'> {
    return {
      conference_session_id: this.place.sessionId,
      participant_instance_id: this.place.participantId,
      publication_id: publicationId,
      endpoint_id: this.#opened.endpoint_id,
      rtc_node_id: this.#opened.rtc_node_id,
      route_generation: this.routeGeneration,
      scope,
    }
  }

  #hear({ media, name, body }: MediaMessage): void {
    if (media.endpoint_id !== this.#opened.endpoint_id) return
    if (name === 'webrtc_answer') this.#offers.answered(media.negotiation_id, body)
    if (name === 'webrtc_offer') void this.#answer(media, body as unknown as SubscribeOffer)
  }

  /** An answer that is lost is no harm: the server offers again when the connection is back. */
  async #answer(media: MediaRef, offer: SubscribeOffer): Promise<void> {
    const body = await this.subscriptions.offered(media.publication_id, offer)
    this.#control.sendMedia(media, 'webrtc_answer', body)
  }
}
