import type { MediaSource } from '@lectern/protocol/control'
import * as commonUtils from 'mediasoup-client/handlers/sdp/commonUtils'
import { RemoteAnswerMediaSection } from 'mediasoup-client/handlers/sdp/RemoteMediaSection'
import { getRtpEncodings } from 'mediasoup-client/handlers/sdp/unifiedPlanUtils'
import * as ortc from 'mediasoup-client/ortc'
import type { MediaKind, RtpCapabilities, RtpParameters } from 'mediasoup-client/types'
import {
  capabilitiesOf,
  guarded,
  isSent,
  kindOfSection,
  midOf,
  type Offer,
  type Section,
  type ServerTransport,
  type Session,
  sectionTransport,
  writeAnswer,
} from './description.ts'
import { payloadTypesOf } from './playing.ts'

/** Offers of clients to send. */

/** A section in which the client offers to send what the server can receive. */
export interface OfferedTrack {
  section: Section
  kind: MediaKind
  rtpParameters: RtpParameters
  answerParameters: RtpParameters
}

/** The sections in which a client offers to send; those that the server cannot receive are left out. */
export function readOfferedTracks(offer: Offer, router: RtpCapabilities): OfferedTrack[] {
  return offer.session.media.flatMap(section => {
    const kind = kindOfSection(offer, section)
    if (!kind || !isSent(section)) return []
    const parameters = guarded(() => sendingParameters(offer.session, section, kind, router))
    return parameters ? [{ section, kind, ...parameters }] : []
  })
}

/** Whether it sends anything in a codec that routers have, so that joining is worth while. */
export function sendsKnownCodec(offer: Offer): boolean {
  return offer.session.media.some(section => {
    const kind = kindOfSection(offer, section)
    if (!kind || !isSent(section)) return false
    const capabilities = guarded(() => capabilitiesOf(offer.session, section))
    return Object.keys(payloadTypesOf([{ kind, capabilities }])).length > 0
  })
}

const SOURCES: Record<MediaKind, MediaSource[]> = {
  audio: ['microphone', 'screen_audio'],
  video: ['camera', 'screen'],
}

/** The first audio is a microphone and the first video a camera, the second ones are a shared screen with its audio. */
export function assignSources(tracks: OfferedTrack[]): (OfferedTrack & { source: MediaSource })[] {
  const sources = structuredClone(SOURCES)
  return tracks.flatMap(track => {
    const source = sources[track.kind].shift()
    return source ? [{ ...track, source }] : []
  })
}

function sendingParameters(session: Session, section: Section, kind: MediaKind, router: RtpCapabilities) {
  const extended = ortc.getExtendedRtpCapabilities(
    capabilitiesOf(session, section),
    structuredClone(router),
    true,
  )
  const rtpParameters = ortc.getSendingRtpParameters(kind, extended)
  const answerParameters = ortc.getSendingRemoteRtpParameters(kind, extended)
  if (rtpParameters.codecs.length === 0) return null
  rtpParameters.codecs = ortc.reduceCodecs(rtpParameters.codecs)
  answerParameters.codecs = ortc.reduceCodecs(answerParameters.codecs)
  const mid = midOf(section)
  if (mid !== undefined) rtpParameters.mid = mid
  rtpParameters.rtcp = { cname: commonUtils.getCname({ offerMediaObject: section as never }) }
  rtpParameters.encodings = encodingsOf(section, rtpParameters)
  return { rtpParameters, answerParameters }
}

/** By RID with simulcast, else by SSRC; a stack that announces neither is recognised by its MID. */
function encodingsOf(section: Section, { codecs }: RtpParameters) {
  const rids = (section.rids ?? []).filter(({ direction }) => direction === 'send')
  if (section.simulcast && rids.length > 0) return rids.map(({ id }) => ({ rid: String(id) }))
  if (!section.ssrcs?.length) return [{}]
  return getRtpEncodings({ offerMediaObject: section as never, codecs })
}

/** The answer to an offer to send: sections of other tracks are rejected. */
export function answerPublisher(offer: Offer, transport: ServerTransport, tracks: OfferedTrack[]): string {
  return writeAnswer(offer, transport, section => {
    const track = tracks.find(each => each.section === section)
    return track ? acceptedSection(track, transport, offer.ownRole) : null
  })
}

/** Browsers start far below what a camera needs. */
const START_KBPS = 1_000

const acceptedSection = (track: OfferedTrack, transport: ServerTransport, role: 'client' | 'server') =>
  new RemoteAnswerMediaSection({
    ...sectionTransport(transport, role),
    offerMediaObject: track.section,
    offerRtpParameters: structuredClone(track.rtpParameters),
    answerRtpParameters: track.answerParameters,
    codecOptions: { videoGoogleStartBitrate: START_KBPS },
  } as never).getObject() as unknown as Section
