import type { MediaKind, RtpEncodingParameters, RtpParameters, SrtpParameters } from 'mediasoup/types'
import type { PipeNotice, PipeRequest } from './node-protocol.ts'

/** The address of a pipe transport, and the key with which it encrypts. */
export interface PipeAddress {
  ip: string
  port: number
  /** Absent between workers of one machine. */
  srtp?: SrtpParameters | undefined
}

/** A producer as it arrives at the receiving router. */
export interface PipedTrack {
  kind: MediaKind
  rtpParameters: RtpParameters
  paused: boolean
}

export type PipedTrackEvent = 'paused' | 'resumed' | 'closed'

/** The sending end of a link: a pipe transport that is connected to the receiving one. */
export interface PipeSender {
  readonly address: PipeAddress
  /** Sends all layers of a producer until `stop`. Rejects when the producer is closed. */
  send(producerId: string, onEvent: (event: PipedTrackEvent) => void): Promise<PipedTrack>
  /** Safe to repeat. */
  stop(producerId: string): void
  /** Called once, even if the worker dies. */
  onClosed(listener: () => void): void
  /** Safe to repeat. */
  close(): void
}

/** A router whose producers other routers of the room receive, on this node or on another. */
export interface PipeOrigin {
  /** Identifies the router: its producers share a link. */
  readonly id: string
  /** Between hosts packets are encrypted, and lost ones are sent again. */
  readonly isRemote: boolean
  /** Opens the sending end of a link to the receiving transport. */
  connect(receiver: PipeAddress): Promise<PipeSender>
}

/** Carries messages between media nodes. They arrive at most once, in the order of one sender. */
export interface NodeMessages {
  /** Rejects when the node does not answer in time, or refuses. */
  request(nodeId: string, message: PipeRequest): Promise<unknown>
  /** Rejects when it may not have arrived. */
  notify(nodeId: string, message: PipeNotice): Promise<void>
}

/** The source from which other nodes receive a publication. */
export interface RemoteTrack {
  nodeId: string
  routerId: string
  producerId: string
  mimeType: string
  /** The encodings as the sender described them. */
  encodings: RtpEncodingParameters[]
}

/** For rooms that have participants on several media nodes. */
export interface NodeConnections {
  /** The id of this node. */
  nodeId: string
  messages: NodeMessages
  /** A publication has another producer, which other nodes receive from now on. MUST NOT throw. */
  onTrack(sessionId: number, publicationId: string, track: RemoteTrack): void
}
