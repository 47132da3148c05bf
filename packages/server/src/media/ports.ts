import type { MediaSource, PayloadTypes } from '@lectern/protocol/control'
import type { MediaKind } from 'mediasoup/types'
import type { Media } from '../sessions/ports.ts'
import type { RemoteTrack } from './pipes/ports.ts'

/** A participant of a session, or an observer of it, who only receives. */
export interface ParticipantRef {
  sessionId: number
  participantId: string
}

/** RTP, ICE and DTLS parameters in the shape of mediasoup-client. */
export type WebRtcParameters = Record<string, unknown>

export interface TurnServer {
  urls: string[]
  username: string
  credential: string
}

/** TURN servers, with credentials that expire. */
export interface TurnAccess {
  servers: TurnServer[]
  ttlMs: number
}

/** Parameters with which a browser reaches a transport that carries no media. */
export interface ConnectionProbe {
  iceParameters: { usernameFragment: string; password: string }
  iceCandidates: {
    foundation: string
    priority: number
    address: string
    port: number
    protocol: 'udp' | 'tcp'
  }[]
  fingerprints: { algorithm: string; value: string }[]
  turnServers: TurnServer[]
  expiresInMs: number
}

export interface EndpointOptions {
  /** For networks that drop UDP, and for tests. */
  tcpOnly?: boolean | undefined
  /** The region of the participant; undefined: unknown. */
  region?: string | undefined
  /** In which the participant wants to receive; absent: in any. */
  payloadTypes?: PayloadTypes | undefined
  /** The participant may be unable to decode spatial layers within an encoding. */
  avoidsSpatialLayers?: boolean | undefined
}

export interface TransportDescription {
  id: string
  iceParameters: WebRtcParameters
  iceCandidates: WebRtcParameters[]
  dtlsParameters: WebRtcParameters
}

/** Which media worker serves an endpoint, and since which change of workers. */
export interface RouteDescription {
  workerId: string
  /** Grows when a worker of the session dies. */
  routeGeneration: string
}

/** The route of a session. `workerIds`: workers whose endpoints remain, although they may be older. */
export type MovedRoute = RouteDescription & { workerIds?: string[] }

export interface EndpointDescription extends RouteDescription {
  endpointId: string
  routerRtpCapabilities: WebRtcParameters
  send: TransportDescription
  receive: TransportDescription
}

export type IceRestart = Record<'send' | 'receive', { iceParameters: WebRtcParameters }>

export interface SrtpKey {
  cryptoSuite: 'AEAD_AES_128_GCM' | 'AES_CM_128_HMAC_SHA1_80'
  /** Master key and salt. */
  keyBase64: string
}

/** Plain RTP to one address; RTP and RTCP share the port. */
export interface EgressOptions {
  kinds: MediaKind[]
  ip: string
  port: number
  srtp?: SrtpKey | undefined
}

export interface EgressDescription extends RouteDescription {
  endpointId: string
  /** The key of the server. */
  srtp?: SrtpKey
}

/** The size at which a viewer displays a video, in device pixels; null: not at all. */
export type DisplaySize = { width: number; height: number; priority?: 'normal' | 'high' | undefined } | null

/** How the videos of one source are received that a viewer displays: `reduced` in lower layers, `partial` not all. */
export type ReceptionLevel = 'full' | 'reduced' | 'partial' | 'none'

/** The reception of the displayed videos over a slow connection; null: none is displayed. */
export type Reception = Record<'camera' | 'screen', ReceptionLevel | null>

/** Identifies an offer and its answer: one track, through one endpoint on one route. */
export interface Negotiation extends RouteDescription {
  id: string
  publicationId: string
  endpointId: string
  kind: MediaKind
  direction: 'publish' | 'subscribe'
}

export interface PublishOffer {
  source: MediaSource
  paused: boolean
  rtpParameters: WebRtcParameters
  /** With the first offer or answer on a transport. */
  dtlsParameters?: WebRtcParameters | undefined
}

export interface SubscribeOffer {
  consumerId: string
  kind: MediaKind
  source: MediaSource
  participantId: string
  rtpParameters: WebRtcParameters
}

export interface SubscribeAnswer {
  dtlsParameters?: WebRtcParameters | undefined
}

/** A track that a participant sends, with any codec and layers. It outlives producers and endpoints. */
export interface Publication {
  publicationId: string
  participantId: string
  source: MediaSource
  paused: boolean
}

/**
 * Media on behalf of participants and observers. Callers have checked that the participant is in the session and that
 * bodies have their shape. They reject with a Refusal.
 */
export interface ParticipantMedia {
  /**
   * Opens an endpoint that replaces the participant's former one. Publications of the former endpoint remain for a
   * while, to be published again under their ids.
   */
  openEndpoint(participant: ParticipantRef, options: EndpointOptions): Promise<EndpointDescription>
  /** Starts offering the publications of others; repeated, it offers what is unanswered again. */
  setRtpCapabilities(participant: ParticipantRef, endpointId: string, rtpCapabilities: object): Promise<void>
  /**
   * Opens an endpoint that sends plain RTP of all publications to an observer, and offers them. Repeated with the same
   * options it offers what is unanswered again; with others it replaces the former egress.
   */
  openEgress(observer: ParticipantRef, options: EgressOptions): Promise<EgressDescription>
  /** Safe to repeat. */
  closeEgress(observer: ParticipantRef): void
  requestKeyFrame(observer: ParticipantRef, publicationId: string): Promise<void>
  restartIce(participant: ParticipantRef, endpointId: string): Promise<IceRestart>
  publish(participant: ParticipantRef, negotiation: Negotiation, offer: PublishOffer): Promise<void>
  /** Handles the answer to an offer. Answers to obsolete offers are dropped. */
  answer(
    participant: ParticipantRef,
    negotiation: Negotiation,
    answer: SubscribeAnswer | { error: object },
  ): Promise<void>
  pause(participant: ParticipantRef, publicationId: string): Promise<void>
  resume(participant: ParticipantRef, publicationId: string): Promise<void>
  setLayers(participant: ParticipantRef, publicationId: string, size: DisplaySize): Promise<void>
  /** Closes one publication of the participant; without an id, the endpoint with all of them. */
  close(participant: ParticipantRef, publicationId?: string): Promise<void>
}

export interface AudioLevel {
  participantId: string
  /** From -127 (silence) to 0 (loudest). */
  dBov: number
}

/** Events of the media server. Handlers MUST NOT throw or block. */
export interface SfuEvents {
  offer(participant: ParticipantRef, negotiation: Negotiation, offer: SubscribeOffer): void
  published(sessionId: number, publication: Publication): void
  changed(sessionId: number, publication: Publication): void
  unpublished(sessionId: number, removed: Pick<Publication, 'publicationId' | 'participantId'>): void
  /** A worker of the session died: everybody who had an endpoint there opens another. */
  moved(sessionId: number, route: MovedRoute): void
  activeSpeaker(sessionId: number, participantId: string | null): void
  /** Participants with audible audio, loudest first. */
  audioLevels(sessionId: number, levels: AudioLevel[]): void
  /** Quality of the participant's connection in both directions, 0 to 10. */
  quality(participant: ParticipantRef, score: number): void
  /** Repeated while the participant's connection is too slow for the displayed videos, and once when that ends. */
  reception(participant: ParticipantRef, reception: Reception): void
  /** Repeated while somebody in the session receives VP8, but not this publication of the participant. */
  undecodable(publisher: ParticipantRef, publicationId: string): void
}

/** A room to be opened. Repeated, it adds to what is known of the room. */
export interface RoomOpening {
  sessionId: number
  /** How often the session was acquired. Routes of a later incarnation have higher generations. */
  incarnation: number
  /** The newest generation that clients may know; later routes have a higher one. */
  generationAfter?: string | undefined
  /** Endpoints opened from now on have at least this generation: other nodes of the session have it. */
  generation?: string | undefined
  /** Publications of a former route, which their senders will publish again. */
  awaited?: Publication[] | undefined
  /** False where another node detects the speakers of the session. Absent: unchanged, at first true. */
  detectsSpeakers?: boolean | undefined
}

/** A room as it is, for a server that takes it over. */
export interface RoomDescription {
  /** Null until somebody opened an endpoint. */
  route: MovedRoute | null
  members: { participantId: string; endpointId: string | null; quality: number | null }[]
  publications: Publication[]
  /** Only on a media node: the producers that other nodes can receive, and those received from others. */
  tracks?: PublishedTrack[]
  remote?: { publicationId: string; producerId: string }[]
}

/** A producer of a publication, for other media nodes. */
export interface PublishedTrack extends RemoteTrack {
  publicationId: string
}

/** A publication of a participant on another media node, and where its packets come from. */
export interface RemotePublication {
  publication: Publication
  track: RemoteTrack
}

/** The present traffic of a media server. */
export interface MediaTraffic {
  incomingBps: number
  outgoingBps: number
  /** Mean of the transports, 0 to 1; null without media. */
  packetLoss: number | null
}

/** A media worker process at the moment. */
export interface MediaWorkerStatus {
  id: string
  /** The name of its media node; absent: it is a worker of this server. */
  node?: string
  pid: number
  /** The number of its routers, transports, producers and consumers. */
  load: number
  /** Processor time since it started, in milliseconds; null when it has just died. */
  processorMs: number | null
  /** Null on systems without /proc. The limit is null when there is none. */
  descriptors: { open: number; limit: number | null } | null
}

/** A transport of the connection test, which carries no media. */
export type ProbeTransport = Pick<ConnectionProbe, 'iceParameters' | 'iceCandidates' | 'fingerprints'>

/** The media server: in this process, or on media nodes. */
export interface MediaServer extends Media, ParticipantMedia {
  openRoom(room: RoomOpening): void
  /** Places the session on a worker before anybody opens an endpoint. */
  openRoute(sessionId: number): Promise<RouteDescription>
  /**
   * Takes over the room that a former owner has left on a media node, with its endpoints; the former owner can change
   * nothing in it any more. Null when there is none. MUST come before `openRoom`.
   */
  adoptRoom(room: { sessionId: number; incarnation: number }): Promise<RoomDescription | null>
  /** Sends unanswered offers again: they may be lost. */
  repeatOffers(sessionId: number): void
  /** Null when there is no such room. */
  describe(sessionId: number): Promise<RoomDescription | null>
  /** Quality of the participants' connections, 0 to 10; null or absent: unknown. */
  qualityOf(sessionId: number): Map<string, number | null>
  /** The media workers that serve the session, the first one first; none without media. */
  workersOf(sessionId: number): string[]
  /** The media nodes that serve the session; none where media is in this process. */
  mediaNodesOf(sessionId: number): string[]
  /** The traffic of these sessions; of all sessions by default. */
  measureTraffic(sessionIds?: number[]): Promise<MediaTraffic>
  readWorkers(): Promise<MediaWorkerStatus[]>
  /** How many workers run when none has died. */
  readonly expectedWorkers: number
  /** `onClose` runs once when the probe has closed. Rejects with `temporarily_unavailable` when no worker is alive. */
  openProbe(lifetimeMs: number, onClose: () => void): Promise<ProbeTransport>
  /** Safe to call twice. */
  stop(): Promise<void>
}
