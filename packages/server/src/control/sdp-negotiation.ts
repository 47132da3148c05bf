import { ensure, Refusal } from '@lectern/protocol'
import {
  type CommandData,
  type MediaRef,
  type PublishOffer,
  SDP_TRACKS_MAX,
  type SdpPublishOffer,
  type SdpSubscribeAnswer,
  type SdpSubscribeOffer,
  type SubscribeOffer,
} from '@lectern/protocol/control'
import type { RtpCapabilities, RtpParameters } from 'mediasoup-client/types'
import type { SubscribeAnswer } from '../media/ports.ts'
import { readAnswer, readOffer } from '../media/sdp/description.ts'
import { answerPublisher, readOfferedTracks } from '../media/sdp/publishing.ts'
import { ReceivingDescription, readReceivingCapabilities } from '../media/sdp/receiving.ts'

type Endpoint = Omit<CommandData<'media.open'>, 'ice_servers' | 'ice_servers_ttl_ms'>

/** Speaks SDP with the client of one endpoint, and mediasoup's parameters with the media server (rules G9 to G12). */
export class SdpNegotiation {
  readonly #endpoint: Endpoint
  readonly #receiving: ReceivingDescription
  readonly #isPublished: (publicationId: string) => boolean

  constructor(endpoint: Endpoint, isPublished: (publicationId: string) => boolean) {
    this.#endpoint = endpoint
    this.#receiving = new ReceivingDescription(endpoint.receive)
    this.#isPublished = isPublished
  }

  get #router(): RtpCapabilities {
    return this.#endpoint.router_rtp_capabilities as unknown as RtpCapabilities
  }

  /** Throws `invalid_argument`. */
  readCapabilities(sdp: string): RtpCapabilities {
    return readReceivingCapabilities(sdp, this.#router)
  }

  /**
   * The publication that an offer describes, and the answer to all of it: a section is accepted before the client publishes
   * it, for the description of a transport has all of them. Throws `invalid_argument` and `media_gone`.
   */
  readPublication({ endpoint_id }: MediaRef, body: SdpPublishOffer): { offer: PublishOffer; answer: string } {
    ensure(endpoint_id === this.#endpoint.endpoint_id, 'media_gone')
    const description = readOffer(body.sdp)
    const tracks = readOfferedTracks(description, this.#router)
    const track = tracks.find(({ section }) => section.mid === body.mid)
    if (!track)
      throw new Refusal('invalid_argument', 'The offer sends nothing in a media section of this mid.')
    return {
      offer: {
        format: 'ortc',
        source: body.source,
        paused: body.paused,
        rtp_parameters: { ...track.rtpParameters },
        dtls_parameters: { ...description.dtls },
      },
      answer: answerPublisher(description, this.#endpoint.send, tracks),
    }
  }

  /** Null while the description would become too large for another track. */
  describe(publicationId: string, offer: SubscribeOffer): SdpSubscribeOffer | null {
    const { kind, source, participant_id } = offer
    this.#receiving.removeUnless(this.#isPublished)
    const isKnown = this.#receiving.midOf(publicationId) !== undefined
    if (!isKnown && this.#receiving.tracks >= SDP_TRACKS_MAX) return null
    const mid = this.#receiving.add({
      publicationId,
      participantId: participant_id,
      kind,
      rtpParameters: offer.rtp_parameters as unknown as RtpParameters,
    })
    return { format: 'sdp', mid, kind, source, participant_id, sdp: this.#receiving.write() }
  }

  /** Throws `invalid_argument`. */
  readAnswer(publicationId: string, { sdp }: SdpSubscribeAnswer): SubscribeAnswer | { error: object } {
    const { description, dtls } = readAnswer(sdp)
    const mid = this.#receiving.midOf(publicationId)
    const section = description.media.find(each => String(each.mid) === mid)
    const isAccepted = section !== undefined && section.port !== 0 && section.direction !== 'inactive'
    return isAccepted ? { dtlsParameters: { ...dtls } } : { error: { code: 'unsupported_feature' } }
  }
}
