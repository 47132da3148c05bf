import { ensure, Refusal } from '@lectern/protocol'
import { SDP_ANSWER_MAX, SDP_OFFER_MAX } from '@lectern/protocol/control'
import * as commonUtils from 'mediasoup-client/handlers/sdp/commonUtils'
import type { DtlsParameters } from 'mediasoup-client/types'
import * as sdpTransform from 'sdp-transform'
import { isRead, withComparableNames } from './names.ts'

/** Session descriptions of clients (RFC 8866, RFC 9429). They come from outside, so that their sizes are limited first. */

interface Limits {
  characters: number
  lines: number
}
export const OFFER_LIMITS: Limits = { characters: SDP_OFFER_MAX, lines: 2_000 }
/** Answers have a section for each track that was offered. */
const ANSWER_LIMITS: Limits = { characters: SDP_ANSWER_MAX, lines: 4_000 }
const LINE_MAX_CHARACTERS = 2_048
/** The tracks that a participant may publish. */
const SECTIONS_MAX = 8
const FORMATS_MAX = 128
/** Not where RTP and RTCP share a port: those between would be RTCP (RFC 5761, section 4). */
const isPayloadType = (type: number) => (type >= 0 && type < 64) || (type >= 96 && type < 128)

export type Section = sdpTransform.MediaDescription
export type Description = sdpTransform.SessionDescription

/** A WebRTC transport of the server, as `media.open` describes it. */
export interface ServerTransport {
  ice_parameters: object
  ice_candidates: object[]
  dtls_parameters: object
}

/** An offer of a client. */
export interface Offer {
  description: Description
  /** DTLS parameters of the client; the role is decided. */
  dtls: DtlsParameters
  /** The role of the server in DTLS. */
  ownRole: 'client' | 'server'
}

const invalidDescription = (message: string, cause?: unknown) =>
  new Refusal('invalid_argument', message, { cause })

/** Reads the offer of a client. Throws `invalid_argument`. */
export function readOffer(text: string): Offer {
  return guarded(() => {
    const description = parse(text, OFFER_LIMITS)
    const { media } = description
    ensure(
      description.icelite === undefined,
      'invalid_argument',
      'The server is ICE-lite, so that the client cannot be it, too.',
    )
    ensure(
      media.length > 0 && media.length <= SECTIONS_MAX,
      'invalid_argument',
      `Offer 1 to ${SECTIONS_MAX} media sections.`,
    )
    media.forEach((section, index) => {
      section.mid = String(section.mid ?? index)
    })
    ensure(
      new Set(media.map(({ mid }) => mid)).size === media.length,
      'invalid_argument',
      'Two media sections have the same mid.',
    )
    // Sections without a role have the role of the session.
    const setup = media.find(section => section.setup !== undefined)?.setup ?? description.setup ?? 'actpass'
    const dtls = commonUtils.extractDtlsParameters({ sdpObject: description as never })
    const ownRole = setup === 'passive' ? 'client' : 'server'
    return { description, ownRole, dtls: { ...dtls, role: ownRole === 'server' ? 'client' : 'server' } }
  })
}

/** Reads a client's answer to an offer of the server. Throws `invalid_argument`. */
export function readAnswer(text: string): { description: Description; dtls: DtlsParameters } {
  return guarded(() => {
    const description = parse(text, ANSWER_LIMITS)
    const dtls = commonUtils.extractDtlsParameters({ sdpObject: description as never })
    ensure(
      dtls.role === 'client' || dtls.role === 'server',
      'invalid_argument',
      'An answer decides who begins DTLS: a=setup:active or a=setup:passive.',
    )
    return { description, dtls }
  })
}

/** Throws `invalid_argument` for every other error, too: the parsers trust what they are given. */
export function guarded<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Refusal
      ? error
      : invalidDescription('The session description cannot be read.', error)
  }
}

function parse(text: string, { characters, lines: linesMax }: Limits): Description {
  const isBounded = text.length <= characters && text.split('\n', linesMax + 1).length <= linesMax
  if (!text.startsWith('v=0') || !isBounded)
    throw invalidDescription('The body is not a session description.')
  const lines = text.split('\n')
  ensure(
    lines.every(({ length }) => length <= LINE_MAX_CHARACTERS),
    'invalid_argument',
    'A line of the session description is too long.',
  )
  const description = sdpTransform.parse(lines.map(withComparableNames).filter(isRead).join('\n'))
  for (const section of description.media) {
    section.direction ??= description.direction
    section.ext ??= description.ext
    const { rtp, payloads } = section
    ensure(rtp.length <= FORMATS_MAX, 'invalid_argument', 'A media section has too many formats.')
    // The m= line says which formats are offered, and which is preferred (RFC 8866, section 5.14).
    const offered = `${payloads ?? ''}`.split(' ', FORMATS_MAX).map(Number).filter(isPayloadType)
    section.rtp = [...new Set(offered)].flatMap(format => rtp.filter(({ payload }) => payload === format))
  }
  return description
}

/** With ICE, which GStreamer demands of rejected sections, too. */
const rejectedSection = (
  { type, protocol, payloads, mid }: Section,
  { ice_parameters }: ServerTransport,
): Section => {
  const { usernameFragment, password } = ice_parameters as Record<string, unknown>
  return {
    type,
    protocol,
    payloads,
    port: 0,
    ...(mid !== undefined && { mid }),
    connection: { version: 4, ip: '0.0.0.0' },
    direction: 'inactive',
    iceUfrag: usernameFragment,
    icePwd: password,
    rtp: [],
    fmtp: [],
  }
}

/** A candidate of the server. */
export interface Candidate {
  foundation: string
  priority: number
  address?: string
  ip: string
  port: number
  protocol: string
  type: string
  tcpType?: string
}

/**
 * The candidates as SDP has them: with numbers for foundations, and UDP first. ffmpeg takes the first one only, and any
 * foundation that contains "udp", such as mediasoup's, for the protocol.
 */
export const describedCandidates = ({ ice_candidates }: ServerTransport): Candidate[] =>
  (ice_candidates as Candidate[])
    .toSorted((a, b) => Number(b.protocol === 'udp') - Number(a.protocol === 'udp'))
    .map((candidate, index) => ({ ...candidate, foundation: String(index + 1) }))

/** The common part of the sections of an answer, or of an offer of the server. */
export const sectionTransport = (transport: ServerTransport, role: 'client' | 'server') => ({
  iceParameters: transport.ice_parameters,
  iceCandidates: describedCandidates(transport),
  dtlsParameters: { ...transport.dtls_parameters, role },
})

/** The answer to an offer; `accept` returns null for a section that is rejected. */
export function writeAnswer(
  { description }: Offer,
  transport: ServerTransport,
  accept: (section: Section) => Section | null,
): string {
  return write(
    description.media.map(section => accept(section) ?? rejectedSection(section, transport)),
    transport,
    1,
  )
}

/** A session description of the server; each one of a transport has a higher version. */
export function write(media: Section[], { dtls_parameters }: ServerTransport, version: number): string {
  const { fingerprints = [] } = dtls_parameters as Partial<DtlsParameters>
  const fingerprint = fingerprints.find(({ algorithm }) => algorithm === 'sha-256') ?? fingerprints[0]
  const active = media.filter(({ port }) => port !== 0)
  return sdpTransform.write({
    version: 0,
    origin: {
      username: '-',
      sessionId: 1,
      sessionVersion: version,
      netType: 'IN',
      ipVer: 4,
      address: '0.0.0.0',
    },
    name: '-',
    timing: { start: 0, stop: 0 },
    icelite: 'ice-lite',
    groups: [{ type: 'BUNDLE', mids: active.map(({ mid }) => mid).join(' ') }],
    extmapAllowMixed: 'extmap-allow-mixed',
    msidSemantic: { semantic: 'WMS', token: '*' },
    fingerprint: { type: fingerprint?.algorithm, hash: fingerprint?.value },
    media,
  })
}
