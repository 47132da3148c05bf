import { lazyCheck } from '@lectern/protocol/control'
import type { DtlsParameters, MediaKind, RtpCapabilities, RtpParameters } from 'mediasoup/types'
import { type Static, type TSchema, Type } from 'typebox'
import { orderedEncodings } from './layers.ts'
import { assertMedia } from './refusals.ts'

/**
 * Validates WebRTC parameters from clients. mediasoup checks types, but neither sizes nor values that would be harmful
 * in another client's SDP.
 */

const text = (maxLength: number) => Type.String({ maxLength })
const integer = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
const list = <T extends TSchema>(items: T, maxItems: number) => Type.Array(items, { maxItems })
const maybe = Type.Optional

const INT32_MAX = 2 ** 31 - 1
const PayloadType = integer(0, 127)
const Ssrc = integer(1, 2 ** 32 - 1)
const ExtensionId = integer(1, 255) // of a two-byte RTP header extension; browsers use 15 and more

/**
 * Viewers' browsers write a sender's codec parameters into SDP: a value MUST NOT end its line or begin another field.
 */
const Key = Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' })
const Word = Type.String({ pattern: '^[A-Za-z0-9+/=,._:-]{0,256}$' })
/** RFC 3550 §6.5.1 permits any text, and Firefox sends a UUID in braces; it appears in viewers' SDP, too. */
const Cname = Type.String({ pattern: '^[\\x21-\\x7e]{0,255}$' })
/** The ids of a stream and a track (RFC 8830), which appear in viewers' SDP. */
const Msid = Type.String({ pattern: '^[\\x21-\\x7e]{1,64}( [\\x21-\\x7e]{1,64})?$' })
const Value = Type.Union([Word, Type.Number({ minimum: -INT32_MAX, maximum: INT32_MAX })])
export const PARAMETERS_MAX = 32
const Parameters = Type.Intersect([
  Type.Record(Key, Value, { maxProperties: PARAMETERS_MAX, additionalProperties: false }),
  Type.Object({ apt: maybe(PayloadType) }),
])

const codec = {
  mimeType: Type.String({ pattern: '^(audio|video)/[A-Za-z0-9.+-]{1,32}$' }),
  clockRate: integer(1, 1_000_000),
  channels: maybe(integer(1, 24)),
  parameters: maybe(Parameters),
  rtcpFeedback: maybe(list(Type.Object({ type: Word, parameter: maybe(Word) }), 16)),
}

const ParametersToSend = Type.Object({
  mid: maybe(text(8)), // 8 bytes in RTP
  codecs: Type.Array(Type.Object({ ...codec, payloadType: PayloadType }), { minItems: 1, maxItems: 32 }),
  headerExtensions: maybe(
    list(
      Type.Object({
        uri: text(128),
        id: ExtensionId,
        encrypt: maybe(Type.Boolean()),
        parameters: maybe(Parameters),
      }),
      16,
    ),
  ),
  encodings: Type.Array(
    Type.Object({
      ssrc: maybe(Ssrc),
      rid: maybe(Type.String({ pattern: '^[A-Za-z0-9]{1,8}$' })),
      codecPayloadType: maybe(PayloadType),
      rtx: maybe(Type.Object({ ssrc: Ssrc })),
      dtx: maybe(Type.Boolean()),
      scalabilityMode: maybe(Type.String({ pattern: '^[LS][1-3]T[1-3](_KEY|_KEY_SHIFT|h)?$' })),
      maxBitrate: maybe(integer(0, INT32_MAX)),
    }),
    { minItems: 1, maxItems: 4 },
  ),
  rtcp: maybe(Type.Object({ cname: maybe(Cname), reducedSize: maybe(Type.Boolean()) })),
  msid: maybe(Msid),
})

const Capabilities = Type.Object({
  codecs: list(Type.Object({ ...codec, preferredPayloadType: maybe(PayloadType) }), 128),
  headerExtensions: maybe(
    list(
      Type.Object({
        kind: Type.Enum(['audio', 'video']),
        uri: text(128),
        preferredId: ExtensionId,
        preferredEncrypt: maybe(Type.Boolean()),
        direction: maybe(Type.Enum(['sendrecv', 'sendonly', 'recvonly', 'inactive'])),
      }),
      64,
    ),
  ),
})

const Dtls = Type.Object({
  role: maybe(Type.Enum(['auto', 'client', 'server'])),
  fingerprints: Type.Array(
    Type.Object({
      algorithm: Type.Enum(['sha-1', 'sha-224', 'sha-256', 'sha-384', 'sha-512']),
      value: Type.String({ pattern: '^[0-9A-F]{2}(:[0-9A-F]{2}){19,63}$' }),
    }),
    { minItems: 1, maxItems: 8 },
  ),
})

/** mediasoup's types declare more than its worker reads. */
const checks = {
  parameter: lazyCheck(Parameters),
  extensionId: lazyCheck(ExtensionId),
  cname: lazyCheck(Cname),
  send: lazyCheck(Type.Unsafe<RtpParameters & Static<typeof ParametersToSend>>(ParametersToSend)),
  receive: lazyCheck(Type.Unsafe<RtpCapabilities>(Capabilities)),
  dtls: lazyCheck(Type.Unsafe<DtlsParameters>(Dtls)),
}

/** Whether descriptions of others may contain it. */
export const isParameter = ([name, value]: [string, unknown]): boolean =>
  checks.parameter.Check({ [name]: value })

export const isExtensionId = (id: number): boolean => checks.extensionId.Check(id)

export const isCname = (text: string): boolean => checks.cname.Check(text)

export function readRtpParameters(kind: MediaKind, raw: object): RtpParameters {
  assertMedia(checks.send.Check(raw), 'malformed')
  // mediasoup does not compare the kind with the sender's codecs.
  assertMedia(
    raw.codecs.every(({ mimeType }) => mimeType.startsWith(`${kind}/`)),
    'malformed',
  )
  const types = new Set(raw.codecs.map(({ payloadType }) => payloadType))
  assertMedia(types.size === raw.codecs.length, 'malformed')
  assertMedia(kind === 'video' || raw.encodings.length === 1, 'unsupported')
  return { ...raw, encodings: orderedEncodings(raw.encodings) }
}

export function readRtpCapabilities(raw: object): RtpCapabilities {
  assertMedia(checks.receive.Check(raw), 'malformed')
  return raw
}

/** mediasoup compares fingerprints with case; browsers write them in lower case (RTCDtlsFingerprint), SDP in upper case. */
export function readDtlsParameters(raw: object): DtlsParameters {
  const { fingerprints, ...others } = raw as { fingerprints?: unknown }
  const parameters = {
    ...others,
    fingerprints: Array.isArray(fingerprints)
      ? fingerprints.map(each => ({
          algorithm: String(each?.algorithm).toLowerCase(),
          value: String(each?.value).toUpperCase(),
        }))
      : fingerprints,
  }
  assertMedia(checks.dtls.Check(parameters), 'malformed')
  return parameters
}
