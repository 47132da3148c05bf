import { Refusal } from '@lectern/protocol'
import * as commonUtils from 'mediasoup-client/handlers/sdp/commonUtils'
import * as ortc from 'mediasoup-client/ortc'
import type { MediaKind, RtpCapabilities, RtpCodecCapability } from 'mediasoup-client/types'
import { CODECS } from '../codecs.ts'
import { isExtensionId, isParameter, PARAMETERS_MAX } from '../ortc.ts'
import type { Description, Offer, Section } from './description.ts'

/** The media sections of an offer, and what the server demands of them. */

/** The SFU sends the mid in an RTP header extension with a one-byte header, which holds this many bytes. */
const MID_MAX_CHARACTERS = 8

/** Refuses an offer because of one section, which it names: nobody expects that only a part of it works (RFC 9725, section 4.4.3). */
export function assertServed(isServed: unknown, section: Section, reason: string): asserts isServed {
  if (!isServed) throw notServed(section, reason)
}

function notServed({ mid, type }: Section, reason: string, cause?: unknown): Refusal {
  const name = `The media section ${JSON.stringify(`${mid}`.slice(0, 64))} (${`${type}`.slice(0, 64)})`
  return new Refusal('invalid_argument', `${name} cannot be served: ${reason}.`, { cause })
}

/** The sections in which the client wants something: it has neither rejected nor deactivated them. */
export const activeSections = ({ description }: Offer): Section[] =>
  description.media.filter(
    // RFC 8843, section 6
    ({ port, bundleOnly, direction }) => (port !== 0 || bundleOnly !== undefined) && direction !== 'inactive',
  )

/** Throws `invalid_argument` unless one transport can carry all sections (RFC 8843, RFC 5761). */
export function assertTransport({ description }: Offer, section: Section): void {
  assertServed(section.rtcpMux !== undefined, section, 'it needs a=rtcp-mux')
  const bundle = description.groups?.find(group => group.type === 'BUNDLE')
  const isBundled = `${bundle?.mids ?? ''}`.split(' ').includes(String(section.mid))
  assertServed(isBundled || description.media.length === 1, section, 'it is not in the first BUNDLE group')
}

/** Whether the client sends (`sendonly`) or receives (`recvonly`) in a section. */
export const isDirected = ({ direction = 'sendrecv' }: Section, to: 'sendonly' | 'recvonly') =>
  direction === to || direction === 'sendrecv'

/** The supported formats of a kind, for messages. */
export const formatsOf = (kind: MediaKind): string =>
  Object.values(CODECS)
    .filter(codec => codec.kind === kind)
    .map(({ mimeType, parameters = {} }) => {
      const needed = ['packetization-mode', 'profile-level-id', 'profile-id'].filter(
        name => name in parameters,
      )
      return [mimeType.replace(/^\w+\//, ''), ...needed.map(name => `${name}=${parameters[name]}`)].join(' ')
    })
    .join(', ')

/** The mid with which packets may be marked. */
export const midOf = ({ mid }: Section): string | undefined =>
  String(mid).length <= MID_MAX_CHARACTERS ? String(mid) : undefined

/**
 * Payload types and extensions belong to one section: other sections may use the same numbers differently. What is optional
 * and cannot be used is left out, as what is unknown: parameters of formats, numbers of extensions.
 */
export function capabilitiesOf(description: Description, section: Section): RtpCapabilities {
  const { codecs = [], headerExtensions = [] } = commonUtils.extractRtpCapabilities({
    sdpObject: { ...description, media: [section] } as never,
  })
  const capabilities = {
    codecs: codecs.map(codec => ({ ...codec, parameters: usable(codec.parameters) })).filter(isDecodable),
    headerExtensions: headerExtensions.filter(({ preferredId }) => isExtensionId(preferredId)),
  }
  ortc.validateAndNormalizeRtpCapabilities(capabilities)
  return capabilities
}

/** Reads something of a section: every error names it. */
export function readFrom<T>(section: Section, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === 'invalid_argument') throw cause
    throw notServed(section, 'its streams, or their parameters, are not valid here', cause)
  }
}

const usable = (parameters: RtpCodecCapability['parameters'] = {}) =>
  Object.fromEntries(Object.entries(parameters).filter(isParameter).slice(0, PARAMETERS_MAX))

/** The library does not compare profiles of AV1: browsers decode the main one only, which no parameter means, too. */
const isDecodable = ({ mimeType, parameters }: RtpCodecCapability) =>
  !/\/av1$/i.test(mimeType) || Number(parameters?.profile ?? 0) === 0
