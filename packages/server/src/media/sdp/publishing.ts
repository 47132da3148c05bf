import type { MediaSource } from '@lectern/protocol/control'
import * as commonUtils from 'mediasoup-client/handlers/sdp/commonUtils'
import { RemoteAnswerMediaSection } from 'mediasoup-client/handlers/sdp/RemoteMediaSection'
import { getRtpEncodings } from 'mediasoup-client/handlers/sdp/unifiedPlanUtils'
import * as ortc from 'mediasoup-client/ortc'
import type { MediaKind, RtpCapabilities, RtpParameters } from 'mediasoup-client/types'
import * as sdpTransform from 'sdp-transform'
import { CODECS } from '../codecs.ts'
import { isCname, readRtpParameters } from '../ortc.ts'
import {
  type Description,
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
  midOf,
  readFrom,
} from './sections.ts'

/** Offers of clients to send. */

/** A section in which the client offers to send what the server can receive. */
export interface OfferedTrack {
  section: Section
  kind: MediaKind
  rtpParameters: RtpParameters
  answerParameters: RtpParameters
}

/** All that a client offers to send. Throws `invalid_argument`, which names the first section that the server cannot receive. */
export function readOfferedTracks(offer: Offer, router: RtpCapabilities): OfferedTrack[] {
  const sections = activeSections(offer).filter(section => isDirected(section, 'sendonly'))
  const known = new Set<number>()
  return sections.map(section => {
    const { type: kind } = section
    assertServed(kind === 'audio' || kind === 'video', section, 'it is neither audio nor video')
    assertTransport(offer, section)
    const parameters = readFrom(section, () => sendingParameters(offer.description, section, kind, router))
    assertServed(parameters, section, `none of its formats is ${formatsOf(kind)}`)
    readFrom(section, () => readRtpParameters(kind, parameters.rtpParameters))
    for (const ssrc of ssrcsOf(parameters.rtpParameters)) {
      assertServed(!known.has(ssrc), section, `its SSRC ${ssrc} is that of another stream`)
      known.add(ssrc)
    }
    return { section, kind, ...parameters }
  })
}

/** The codecs that every router receives: enough to refuse an offer before somebody joins. */
export const KNOWN_CODECS: RtpCapabilities = {
  codecs: Object.values(CODECS).map((codec, i) => ({ ...codec, preferredPayloadType: i, rtcpFeedback: [] })),
  headerExtensions: [],
}

const SOURCES: Record<MediaKind, MediaSource[]> = {
  audio: ['microphone', 'screen_audio'],
  video: ['camera', 'screen'],
}

/**
 * The first audio is a microphone and the first video a camera, the second ones are a shared screen with its audio. Throws
 * `invalid_argument` for a third one.
 */
export function assignSources(tracks: OfferedTrack[]): (OfferedTrack & { source: MediaSource })[] {
  const sources = structuredClone(SOURCES)
  return tracks.map(track => {
    const source = sources[track.kind].shift()
    assertServed(source, track.section, `a participant sends two of ${track.kind} at most`)
    return { ...track, source }
  })
}

function sendingParameters(
  description: Description,
  section: Section,
  kind: MediaKind,
  router: RtpCapabilities,
) {
  const extended = ortc.getExtendedRtpCapabilities(
    capabilitiesOf(description, section),
    structuredClone(router),
    true,
  )
  const rtpParameters = ortc.getSendingRtpParameters(kind, extended)
  const answerParameters = ortc.getSendingRemoteRtpParameters(kind, extended)
  if (rtpParameters.codecs.length === 0) return null
  rtpParameters.codecs = ortc.reduceCodecs(rtpParameters.codecs)
  answerParameters.codecs = ortc.reduceCodecs(answerParameters.codecs)
  agreeOnOpus(rtpParameters.codecs, answerParameters.codecs)
  const mid = midOf(section)
  if (mid !== undefined) rtpParameters.mid = mid
  const cname = commonUtils.getCname({ offerMediaObject: section as never })
  rtpParameters.rtcp = isCname(cname) ? { cname } : {}
  rtpParameters.encodings = encodingsOf(section, rtpParameters)
  return { rtpParameters, answerParameters }
}

/** Parameters by which a receiver controls an encoder (RFC 7587). Publishers write the ones that they want into their offer. */
const ASKED_OF_OPUS = ['stereo', 'maxaveragebitrate', 'maxplaybackrate', 'cbr', 'usedtx']

/** The answer asks for what is offered; whoever receives the track learns that it is stereo. */
function agreeOnOpus([sent]: RtpParameters['codecs'], [answered]: RtpParameters['codecs']): void {
  if (sent?.mimeType.toLowerCase() !== 'audio/opus' || !sent.parameters || !answered) return
  const { stereo, 'sprop-stereo': isSentInStereo = stereo } = sent.parameters
  if (isSentInStereo !== undefined)
    Object.assign(sent.parameters, { stereo: isSentInStereo, 'sprop-stereo': isSentInStereo })
  const asked = ASKED_OF_OPUS.map(name => [name, sent.parameters?.[name]] as const)
  answered.parameters = {
    ...answered.parameters,
    ...Object.fromEntries(asked.filter(([, value]) => typeof value === 'number')),
  }
}

/** By RID with simulcast, else by SSRC; a stack that announces neither is recognised by its MID. */
function encodingsOf(section: Section, { codecs }: RtpParameters) {
  const rids = sentRids(section)
  if (rids.length > 0) return simulcastEncodings(section, rids)
  const repairs = repairSsrcs(section)
  const ssrcs = section.ssrcs?.filter(({ id }) => !repairs.has(id))
  assertServed(
    ssrcs?.length || midOf(section) !== undefined,
    section,
    'it announces no SSRC, and its mid is too long for packets',
  )
  if (!ssrcs?.length) return [{}]
  return getRtpEncodings({ offerMediaObject: { ...section, ssrcs } as never, codecs })
}

/** Of the streams that simulcast names: of alternatives the first one, also if it is paused at first (RFC 8853). */
function sentRids(section: Section): string[] {
  const { simulcast, rids = [] } = section
  const { dir1, list1, dir2, list2 } = simulcast ?? {}
  const list = dir1 === 'send' ? list1 : dir2 === 'send' ? list2 : undefined
  if (list === undefined) return []
  const described = new Set(rids.filter(({ direction }) => direction === 'send').map(({ id }) => String(id)))
  const sent = sdpTransform
    .parseSimulcastStreamList(String(list))
    .flatMap(alternatives => alternatives.map(({ scid }) => String(scid)).find(id => described.has(id)) ?? [])
  assertServed(sent.length > 0, section, 'the streams of its simulcast have no a=rid of letters and digits')
  return [...new Set(sent)]
}

/** With the sizes and bitrates to which the offer restricts them (RFC 8851). */
function simulcastEncodings({ rids: described = [] }: Section, rids: string[]) {
  const encodings = rids.map(rid => {
    const { params = '' } = described.find(({ id }) => String(id) === rid) ?? {}
    const limit = (name: string) => Number(new RegExp(`\\b${name}=(\\d{1,9})\\b`).exec(params)?.[1] ?? 0)
    return { rid, height: limit('max-height'), maxBitrate: limit('max-br') }
  })
  const best = Math.max(...encodings.map(({ height }) => height))
  return encodings.map(({ rid, height, maxBitrate }) => ({
    rid,
    ...(maxBitrate > 0 && { maxBitrate }),
    ...(encodings.every(each => each.height > 0) && { scaleResolutionDownBy: best / height }),
  }))
}

const ssrcsOf = ({ encodings = [] }: RtpParameters) =>
  encodings.flatMap(({ ssrc, rtx }) => [ssrc ?? [], rtx?.ssrc ?? []].flat())

/** Streams of forward error correction are no encodings (RFC 5956). */
const repairSsrcs = ({ ssrcGroups = [] }: Section) =>
  new Set(
    ssrcGroups
      .filter(({ semantics }) => semantics === 'FEC-FR')
      .map(({ ssrcs }) => Number(`${ssrcs}`.split(' ').at(-1))),
  )

/** The answer to an offer to send: sections of other tracks are rejected. */
export function answerPublisher(offer: Offer, transport: ServerTransport, tracks: OfferedTrack[]): string {
  return writeAnswer(offer, transport, section => {
    const track = tracks.find(each => each.section === section)
    return track ? acceptedSection(track, transport, offer.ownRole) : null
  })
}

/** Browsers start far below what a camera needs. */
const START_KBPS = 1_000

function acceptedSection(
  { section, rtpParameters, answerParameters }: OfferedTrack,
  transport: ServerTransport,
  role: 'client' | 'server',
): Section {
  const rids = rtpParameters.encodings?.flatMap(({ rid }) => rid ?? []) ?? []
  const simulcast = rids.length > 0 ? { dir1: 'send', list1: rids.join(';') } : undefined
  return new RemoteAnswerMediaSection({
    ...sectionTransport(transport, role),
    offerMediaObject: { ...section, simulcast, rids: rids.map(id => ({ id, direction: 'send' })) },
    offerRtpParameters: structuredClone(rtpParameters),
    answerRtpParameters: answerParameters,
    codecOptions: { videoGoogleStartBitrate: START_KBPS },
  } as never).getObject() as unknown as Section
}
