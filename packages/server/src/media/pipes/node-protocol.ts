import { lazyCheck } from '@lectern/protocol/control'
import type { RtpParameters } from 'mediasoup/types'
import { type Static, Type } from 'typebox'

/** Messages of media nodes to each other about pipes, as JSON. Unknown fields are ignored: nodes may have other versions. */

const Id = Type.String({ minLength: 1, maxLength: 128 })

const Address = Type.Object({
  ip: Type.String({ minLength: 2, maxLength: 45 }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  srtp: Type.Object({
    cryptoSuite: Type.Enum([
      'AEAD_AES_256_GCM',
      'AEAD_AES_128_GCM',
      'AES_CM_128_HMAC_SHA1_80',
      'AES_CM_128_HMAC_SHA1_32',
    ]),
    keyBase64: Type.String({ maxLength: 128 }),
  }),
})

const Track = Type.Object({
  kind: Type.Enum(['audio', 'video']),
  /** mediasoup checks them when it creates the producer. */
  rtpParameters: Type.Unsafe<RtpParameters>(Type.Object({ codecs: Type.Array(Type.Object({})) })),
  paused: Type.Boolean(),
})

/** Opens the sending end of a link from a router of the room. Answered with an address. */
const Connect = Type.Object({
  do: Type.Literal('connect'),
  link: Id,
  session_id: Type.Integer({ minimum: 0 }),
  router: Id,
  receiver: Address,
})
/** Sends a producer through a link. Answered with a track. */
const Send = Type.Object({ do: Type.Literal('send'), link: Id, producer: Id })

/** The receiver needs the producer, or the whole link, no more. */
const Stop = Type.Object({ do: Type.Literal('stop'), link: Id, producer: Id })
const Close = Type.Object({ do: Type.Literal('close'), link: Id })
/** Something has happened to a producer, or to the sending end itself. */
const Changed = Type.Object({
  do: Type.Literal('changed'),
  link: Id,
  producer: Id,
  event: Type.Enum(['paused', 'resumed', 'closed']),
})
const Closed = Type.Object({ do: Type.Literal('closed'), link: Id })

const Request = Type.Union([Connect, Send])
const Notice = Type.Union([Stop, Close, Changed, Closed])
export type PipeRequest = Static<typeof Request>
export type PipeNotice = Static<typeof Notice>

const checks = {
  request: lazyCheck(Request),
  notice: lazyCheck(Notice),
  address: lazyCheck(Address),
  track: lazyCheck(Track),
}
interface Shapes {
  request: PipeRequest
  notice: PipeNotice
  address: Static<typeof Address>
  track: Static<typeof Track>
}

/** Throws when another node has sent anything else. */
export function parse<S extends keyof Shapes>(shape: S, message: unknown): Shapes[S] {
  const check: { Check(value: unknown): boolean } = checks[shape]
  if (!check.Check(message)) throw new Error(`another media node sent a malformed ${shape}`)
  return message as Shapes[S]
}

/** An invalid request is treated as a notice. */
export const isRequest = (message: unknown): boolean => checks.request.Check(message)
