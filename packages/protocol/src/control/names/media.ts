import { type Static, type TOptional, Type } from 'typebox'
import { lazyCheck } from '../../lazy-check.ts'
import { Duration, FreeObject, Generation, Id, strict } from '../scalars.ts'

/** The sources of publications. A shared screen may have audio. */
export const MEDIA_SOURCES = ['microphone', 'camera', 'screen', 'screen_audio'] as const
export type MediaSource = (typeof MEDIA_SOURCES)[number]
const Source = Type.Enum(MEDIA_SOURCES)

/** The format of negotiations: parameters of mediasoup, or session descriptions (RFC 8866). */
export const MEDIA_FORMATS = ['ortc', 'sdp'] as const

/** In characters. */
export const SDP_OFFER_MAX = 65_536
export const SDP_ANSWER_MAX = 131_072
/** The most tracks that one description offers; a client receives more of them in the format ortc. */
export const SDP_TRACKS_MAX = 32
const SdpOffer = Type.String({ minLength: 1, maxLength: SDP_OFFER_MAX })
const SdpAnswer = Type.String({ minLength: 1, maxLength: SDP_ANSWER_MAX })

/** The codecs of routers; H.264 by its profile-level-id. */
export const MEDIA_CODECS = ['opus', 'vp8', 'vp9', 'h264_42e01f', 'h264_42001f', 'av1'] as const
export type MediaCodec = (typeof MEDIA_CODECS)[number]

/** Dynamic ones of RTP with RTCP on the same port (RFC 5761, section 4; RFC 9143, section 9.1). */
const PayloadType = Type.Union([
  Type.Integer({ minimum: 35, maximum: 63 }),
  Type.Integer({ minimum: 96, maximum: 127 }),
])
export const PayloadTypes = Type.Object(
  Object.fromEntries(MEDIA_CODECS.map(name => [name, Type.Optional(PayloadType)])) as Record<
    MediaCodec,
    TOptional<typeof PayloadType>
  >,
  {
    ...strict,
    minProperties: 1,
    description:
      'The payload types in which the client wants to receive, as one whose own description fixes them; each one once. Codecs that fit no more are left out of router_rtp_capabilities.',
  },
)
export type PayloadTypes = Static<typeof PayloadTypes>

/** A published track, independent of codec and layers. */
export const Publication = Type.Object(
  {
    publication_id: Id,
    participant_id: Id,
    source: Source,
    paused: Type.Boolean({ description: 'Nothing is sent: paused by the sender or by a moderator.' }),
  },
  strict,
)
export type Publication = Static<typeof Publication>

/** The route of the session after a media worker has died. */
export const MediaRoute = Type.Object(
  {
    rtc_node_id: Id,
    route_generation: Generation,
    rtc_node_ids: Type.Optional(
      Type.Array(Id, {
        maxItems: 256,
        description: 'Other workers of the session that are alive: endpoints on them stay.',
      }),
    ),
  },
  {
    ...strict,
    description:
      'When it changes, clients whose endpoint is older and on none of these workers open another one. Null: no worker has died.',
  },
)
export type MediaRoute = Static<typeof MediaRoute>

/** One WebRTC transport in mediasoup's terms, ready for `createSendTransport` and `createRecvTransport`. */
export const MediaTransport = Type.Object(
  {
    id: Id,
    ice_parameters: FreeObject,
    ice_candidates: Type.Array(FreeObject),
    dtls_parameters: FreeObject,
  },
  strict,
)
export type MediaTransport = Static<typeof MediaTransport>

const IceServer = Type.Object(
  {
    urls: Type.Array(Type.String()),
    username: Type.Optional(Type.String()),
    credential: Type.Optional(Type.String()),
  },
  strict,
)

/** The keys of an SRTP sender: as in SDES, master key and salt in Base64. */
const Srtp = Type.Object(
  {
    crypto_suite: Type.Enum(['AEAD_AES_128_GCM', 'AES_CM_128_HMAC_SHA1_80']),
    key_base64: Type.String({ pattern: '^[A-Za-z0-9+/]{38}(==|[A-Za-z0-9+/]{2})$' }),
  },
  strict,
)

const OfPublication = { publication_id: Id }
const Pixels = Type.Integer({ minimum: 1, maximum: 16_384, description: 'Device pixels.' })
const Shown = Type.Object(
  {
    width: Pixels,
    height: Pixels,
    priority: Type.Optional(
      Type.Enum(['normal', 'high'], {
        description: 'On a slow connection, videos of high priority are received before others.',
      }),
    ),
  },
  strict,
)

const TcpOnly = Type.Optional(Type.Boolean({ description: 'For networks that drop UDP, and for tests.' }))

export const mediaCommands = {
  'media.open': Type.Object(
    {
      tcp_only: TcpOnly,
      payload_types: Type.Optional(PayloadTypes),
      format: Type.Optional(
        Type.Enum(MEDIA_FORMATS, { description: 'What the endpoint is negotiated in, ortc by default.' }),
      ),
    },
    { ...strict, description: "Creates an endpoint; it replaces the participant's earlier one." },
  ),
  'media.receive': Type.Object(
    { endpoint_id: Id, rtp_capabilities: Type.Optional(FreeObject), sdp: Type.Optional(SdpOffer) },
    {
      ...strict,
      minProperties: 2,
      maxProperties: 2,
      description:
        'What this endpoint can decode; in the format sdp, an offer to receive that is not answered. Offers of publications follow.',
    },
  ),
  'media.restart_ice': Type.Object(
    { endpoint_id: Id },
    { ...strict, description: 'After a change of network. The transports are kept.' },
  ),
  'media.close': Type.Object(
    { publication_id: Type.Optional(Id) },
    {
      ...strict,
      description: 'Ends one of your publications; without publication_id the endpoint with all of them.',
    },
  ),
  'media.pause': Type.Object(OfPublication, { ...strict, description: 'One of your publications.' }),
  'media.resume': Type.Object(OfPublication, { ...strict, description: 'One of your publications.' }),
  'media.set_layers': Type.Object(
    {
      ...OfPublication,
      shown: Type.Union([Shown, Type.Null()]),
    },
    {
      ...strict,
      description:
        'The display size of a received video; null: not displayed. The server selects the layers.',
    },
  ),
  'media.tap': Type.Object(
    {
      kinds: Type.Array(Type.Enum(['audio', 'video']), { minItems: 1, maxItems: 2, uniqueItems: true }),
      ip: Type.String({ maxLength: 45, description: 'Destination of RTP and RTCP, on one port.' }),
      port: Type.Integer({ minimum: 1, maximum: 65_535 }),
      srtp: Type.Optional(Srtp),
    },
    { ...strict, description: 'For observers: plain RTP of publications (rule J17).' },
  ),
  'media.request_key_frame': Type.Object(OfPublication, {
    ...strict,
    description: 'For observers: requests a keyframe from the sender.',
  }),
}

/** The media part of `conference.join` (rule G15). */
export const JoinMedia = Type.Object(
  { tcp_only: TcpOnly, rtp_capabilities: FreeObject },
  {
    ...strict,
    description:
      'Opens an endpoint and receives on it, as media.open and media.receive do. rtp_capabilities are those of the client alone: it does not know the router yet.',
  },
)
export type JoinMedia = Static<typeof JoinMedia>

const Ice = Type.Object({ ice_parameters: FreeObject }, strict)

export const mediaData = {
  'media.open': Type.Object(
    {
      endpoint_id: Id,
      rtc_node_id: Id,
      route_generation: Generation,
      router_rtp_capabilities: FreeObject,
      send: MediaTransport,
      receive: MediaTransport,
      ice_servers: Type.Array(IceServer),
      ice_servers_ttl_ms: Type.Optional(Duration),
    },
    strict,
  ),
  'media.restart_ice': Type.Object({ send: Ice, receive: Ice }, strict),
  'media.tap': Type.Object(
    {
      endpoint_id: Id,
      rtc_node_id: Id,
      route_generation: Generation,
      srtp: Type.Optional(Srtp),
    },
    { ...strict, description: 'srtp: the key with which the server encrypts. Offers follow.' },
  ),
}

export const mediaEvents = {
  'publication.added': Type.Object({ publication: Publication }, strict),
  'publication.changed': Type.Object({ publication: Publication }, strict),
  'publication.removed': Type.Object({ publication_id: Id, participant_id: Id }, strict),
  'media.moved': MediaRoute,
}

/**
 * The bodies of control_media in the format `ortc`. The first offer or answer on a transport has
 * `dtls_parameters`. A client's webrtc_offer publishes (scope audio or video); a server's offers another participant's
 * publication (audio-subscribe, video-subscribe), which its media reference names.
 */
const Format = Type.Literal('ortc')
const Kind = Type.Enum(['audio', 'video'])

export const PublishOffer = Type.Object(
  {
    format: Format,
    source: Source,
    paused: Type.Boolean(),
    rtp_parameters: FreeObject,
    dtls_parameters: Type.Optional(FreeObject),
  },
  strict,
)
export type PublishOffer = Static<typeof PublishOffer>

/** Or `{error}`, as for every rejected offer (rule F12). */
export const PublishAnswer = Type.Object({ format: Format, publication_id: Id }, strict)
export type PublishAnswer = Static<typeof PublishAnswer>

export const SubscribeOffer = Type.Object(
  {
    format: Format,
    consumer_id: Id,
    kind: Kind,
    source: Source,
    participant_id: Id,
    rtp_parameters: FreeObject,
  },
  strict,
)
export type SubscribeOffer = Static<typeof SubscribeOffer>

/** The server sends no media before this answer. */
export const SubscribeAnswer = Type.Object(
  { format: Format, dtls_parameters: Type.Optional(FreeObject) },
  strict,
)
export type SubscribeAnswer = Static<typeof SubscribeAnswer>

/**
 * The bodies in the format `sdp`, for an endpoint that was opened in it. Each description is the complete one of a
 * transport, of all tracks so far.
 */
const SdpFormat = Type.Literal('sdp')

export const SdpPublishOffer = Type.Object(
  {
    format: SdpFormat,
    source: Source,
    paused: Type.Boolean(),
    mid: Type.String({ minLength: 1, maxLength: 64, description: 'The media section of the publication.' }),
    sdp: SdpOffer,
  },
  strict,
)
export type SdpPublishOffer = Static<typeof SdpPublishOffer>

/** The answer to the whole offer. */
export interface SdpPublishAnswer {
  format: 'sdp'
  publication_id: string
  sdp: string
}

export interface SdpSubscribeOffer extends Pick<SubscribeOffer, 'kind' | 'source' | 'participant_id'> {
  format: 'sdp'
  /** The media section of the publication. */
  mid: string
  sdp: string
}

export const SdpSubscribeAnswer = Type.Object({ format: SdpFormat, sdp: SdpAnswer }, strict)
export type SdpSubscribeAnswer = Static<typeof SdpSubscribeAnswer>

const checks = {
  'publish-offer': lazyCheck(PublishOffer),
  'subscribe-answer': lazyCheck(SubscribeAnswer),
  'sdp-publish-offer': lazyCheck(SdpPublishOffer),
  'sdp-subscribe-answer': lazyCheck(SdpSubscribeAnswer),
}
interface MediaBodies {
  'publish-offer': PublishOffer
  'subscribe-answer': SubscribeAnswer
  'sdp-publish-offer': SdpPublishOffer
  'sdp-subscribe-answer': SdpSubscribeAnswer
}

export const isMediaBody = <N extends keyof MediaBodies>(name: N, body: object): body is MediaBodies[N] =>
  checks[name].Check(body)
