import { RemoteOfferMediaSection } from 'mediasoup-client/handlers/sdp/RemoteMediaSection'
import * as ortc from 'mediasoup-client/ortc'
import type { MediaKind, RtpCapabilities, RtpParameters } from 'mediasoup-client/types'
import {
  guarded,
  readOffer,
  type Section,
  type ServerTransport,
  sectionTransport,
  write,
} from './description.ts'
import { capabilitiesOf } from './sections.ts'

/** Offers of the server: descriptions of a transport on which a client receives. */

/** The codecs that a client offers to decode, in the payload types of the router. Throws `invalid_argument`. */
export function readReceivingCapabilities(offer: string, router: RtpCapabilities): RtpCapabilities {
  const { description } = readOffer(offer)
  return guarded(() => {
    const sections = description.media.map(section => capabilitiesOf(description, section))
    const client = {
      codecs: sections.flatMap(({ codecs = [] }) => codecs),
      headerExtensions: sections.flatMap(({ headerExtensions = [] }) => headerExtensions),
    }
    // RTX refers to payload types, which each section may use otherwise.
    const extended = ortc.getExtendedRtpCapabilities(client, structuredClone(router), false)
    return ortc.getRecvRtpCapabilities(extended)
  })
}

interface OfferedSection {
  publicationId: string
  mid: string
  content: Section
}

export interface SentTrack {
  publicationId: string
  participantId: string
  kind: MediaKind
  rtpParameters: RtpParameters
}

/** The tracks that a transport sends to a client, in the order of their sections. */
export class ReceivingDescription {
  readonly #transport: ServerTransport
  readonly #sections: OfferedSection[] = []
  #version = 0

  constructor(transport: ServerTransport) {
    this.#transport = transport
  }

  get tracks(): number {
    return this.#sections.filter(({ content }) => content.direction !== 'inactive').length
  }

  midOf(publicationId: string): string | undefined {
    return this.#sections.find(section => section.publicationId === publicationId)?.mid
  }

  /** Adds a track, or the next consumer of its publication. Returns its mid. */
  add({ publicationId, participantId, kind, rtpParameters }: SentTrack): string {
    const { mid = '' } = rtpParameters
    if (this.midOf(publicationId) === mid) return mid
    this.removeUnless(id => id !== publicationId)
    const content = new RemoteOfferMediaSection({
      ...sectionTransport(this.#transport, 'server'),
      mid,
      kind,
      offerRtpParameters: rtpParameters,
      streamId: participantId,
      trackId: publicationId,
    } as never).getObject() as unknown as Section
    // The first section stays: it describes the transport of all others (RFC 8843).
    const free = this.#sections.findIndex(({ content }, index) => index > 0 && content.port === 0)
    this.#sections.splice(free === -1 ? this.#sections.length : free, free === -1 ? 0 : 1, {
      publicationId,
      mid,
      content,
    })
    return mid
  }

  /** Ends the tracks of all other publications. */
  removeUnless(isPublished: (publicationId: string) => boolean): void {
    this.#sections.forEach((section, index) => {
      if (section.publicationId === '' || isPublished(section.publicationId)) return
      section.publicationId = ''
      section.content.direction = 'inactive'
      if (index > 0) section.content = { ...section.content, port: 0 }
    })
  }

  write(): string {
    this.#version += 1
    return write(
      this.#sections.map(({ content }) => content),
      this.#transport,
      this.#version,
    )
  }
}
