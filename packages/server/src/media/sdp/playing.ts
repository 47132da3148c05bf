import type { MediaCodec, PayloadTypes } from '@lectern/protocol/control'
import { RemoteAnswerMediaSection } from 'mediasoup-client/handlers/sdp/RemoteMediaSection'
import * as ortc from 'mediasoup-client/ortc'
import type { MediaKind, RtpCapabilities } from 'mediasoup-client/types'
import { CODECS } from '../codecs.ts'
import {
  guarded,
  type Offer,
  type Section,
  type ServerTransport,
  sectionTransport,
  writeAnswer,
} from './description.ts'
import {
  activeSections,
  assertServed,
  assertTransport,
  capabilitiesOf,
  formatsOf,
  isDirected,
  readFrom,
} from './sections.ts'

/** Offers of clients to receive. */

/** A section in which the client offers to receive. */
export interface PlayerSection {
  section: Section
  kind: MediaKind
  /** The codecs that it decodes, with its own payload types. */
  capabilities: RtpCapabilities
}

/** Consumers number their sections; the client's have other mids. */
const MID_EXTENSION = 'urn:ietf:params:rtp-hdrext:sdes:mid'

/**
 * The first audio and the first video section in which the client offers to receive; players add others by habit, such as data
 * channels. Throws `invalid_argument`, which names one of the two that the server cannot serve.
 */
export function readPlayerSections(offer: Offer): PlayerSection[] {
  const received = activeSections(offer).filter(section => isDirected(section, 'recvonly'))
  return (['audio', 'video'] as const).flatMap(kind => {
    const section = received.find(({ type }) => type === kind)
    if (!section) return []
    assertTransport(offer, section)
    const player = {
      section,
      kind,
      capabilities: readFrom(section, () => capabilitiesOf(offer.description, section)),
    }
    const isKnown = Object.keys(payloadTypesOf([player])).length > 0
    assertServed(isKnown, section, `none of its formats is ${formatsOf(kind)}`)
    return player
  })
}

/** The client's payload types of the codecs that the server supports. */
export function payloadTypesOf(sections: Pick<PlayerSection, 'kind' | 'capabilities'>[]): PayloadTypes {
  const types: PayloadTypes = {}
  for (const [name, codec] of Object.entries(CODECS) as [MediaCodec, (typeof CODECS)[MediaCodec]][]) {
    const known = { ...structuredClone(codec), preferredPayloadType: 0, rtcpFeedback: [] }
    for (const { kind, capabilities } of sections) {
      if (codec.kind !== kind) continue
      const [match] = guarded(() => extend(capabilities, { codecs: [known], headerExtensions: [] })).codecs
      if (match) types[name] = match.localPayloadType
    }
  }
  return types
}

/**
 * The capabilities of the section that the router can send without a change: with the same payload types and the same
 * ids of extensions.
 */
function acceptedOf({ kind, capabilities }: PlayerSection, router: RtpCapabilities) {
  const { codecs, headerExtensions } = guarded(() => extend(capabilities, structuredClone(router)))
  return {
    codecs: codecs.filter(codec => codec.kind === kind && codec.localPayloadType === codec.remotePayloadType),
    headerExtensions: headerExtensions.filter(
      ({ uri, sendId, recvId, kind: of }) => of === kind && sendId === recvId && uri !== MID_EXTENSION,
    ),
  }
}

const extend = (client: RtpCapabilities, server: RtpCapabilities) =>
  ortc.getExtendedRtpCapabilities(structuredClone(client), server, true)

/** For `media.receive`. */
export function receivingCapabilities(sections: PlayerSection[], router: RtpCapabilities): RtpCapabilities {
  const accepted = sections.map(section => acceptedOf(section, router))
  return {
    codecs: accepted.flatMap(({ codecs }) =>
      codecs.map(
        ({ kind, mimeType, clockRate, channels, localPayloadType, remoteParameters, rtcpFeedback }) => ({
          kind,
          mimeType,
          clockRate,
          ...(channels !== undefined && { channels }),
          preferredPayloadType: localPayloadType,
          parameters: remoteParameters,
          rtcpFeedback,
        }),
      ),
    ),
    headerExtensions: accepted.flatMap(({ headerExtensions }) =>
      headerExtensions.map(({ kind, uri, recvId }) => ({ kind, uri, preferredId: recvId })),
    ),
  }
}

/** The answer to an offer to receive; all other sections are rejected. */
export function answerPlayer(
  offer: Offer,
  transport: ServerTransport,
  sections: PlayerSection[],
  router: RtpCapabilities,
): string {
  return writeAnswer(offer, transport, section => {
    const player = sections.find(each => each.section === section)
    const accepted = player && acceptedOf(player, router)
    return accepted && accepted.codecs.length > 0 ? sentSection(offer, transport, section, accepted) : null
  })
}

/** Without SSRCs: the sender of a section changes with what is played. */
function sentSection(
  { ownRole }: Offer,
  transport: ServerTransport,
  section: Section,
  { codecs, headerExtensions }: ReturnType<typeof acceptedOf>,
): Section {
  const answerRtpParameters = {
    codecs: codecs.map(
      ({ mimeType, clockRate, channels, localPayloadType, localParameters, rtcpFeedback }) => ({
        mimeType,
        clockRate,
        channels,
        payloadType: localPayloadType,
        parameters: localParameters,
        rtcpFeedback,
      }),
    ),
    headerExtensions: headerExtensions.map(({ uri, recvId }) => ({ uri, id: recvId })),
  }
  const written = new RemoteAnswerMediaSection({
    ...sectionTransport(transport, ownRole),
    offerMediaObject: { ...section, simulcast: undefined },
    answerRtpParameters,
  } as never).getObject() as unknown as Section
  return { ...written, direction: 'sendonly', msid: [{ id: 'lectern', appdata: section.type }] }
}
