import type { ControlClient, Readable } from '@lectern/control-client'
import type {
  CommandData,
  JsonObject,
  MediaSource,
  SubscribeOffer,
  Target,
} from '@lectern/protocol/control/client'

/** The ports of a call. mediasoup-transports.ts and the browser implement them. */

export type Control = Pick<
  ControlClient,
  | 'close'
  | 'command'
  | 'forgetStream'
  | 'onEvent'
  | 'onMedia'
  | 'onSignal'
  | 'onSnapshot'
  | 'onSnapshotPart'
  | 'onStart'
  | 'onStreamRemoved'
  | 'online'
  | 'open'
  | 'sendMedia'
  | 'sendSignal'
  | 'session'
  | 'state'
  | 'wake'
>

/** A participation in a session. Each join creates another one, also in the same session. */
export interface ParticipantRef {
  sessionId: string
  participantId: string
}

export const sessionTarget = ({ sessionId }: ParticipantRef): Target => ({
  kind: 'conference_session',
  id: sessionId,
})

export type OpenedEndpoint = CommandData<'media.open'>
export type IceRestart = CommandData<'media.restart_ice'>

/** `dtls_parameters` are in every message: it is unknown which one arrives first. */
export interface ProducerParameters {
  rtp_parameters: JsonObject
  dtls_parameters?: JsonObject
}

/** The worse of the two transports; `new`: neither has a track yet. */
export type TransportState = 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed'

/** A track to send. `isScalable`: a camera in one encoding with spatial layers, where the browser has such a codec. */
export interface SentTrack {
  track: MediaStreamTrack
  source: MediaSource
  isScalable: boolean
}

/** The client side of an endpoint. */
export interface MediaTransports {
  /** The capabilities of this browser to decode. */
  readonly rtpCapabilities: JsonObject
  /** `announce` sends the offer to the server; the producer starts when it resolves. */
  produce(sent: SentTrack, announce: (parameters: ProducerParameters) => Promise<void>): Promise<Producer>
  consume(publicationId: string, offer: SubscribeOffer): Promise<Consumer>
  restartIce(restart: IceRestart): Promise<void>
  /** The statistics of both transports. Rejects when they are closed. */
  getStats(): Promise<{ send: RTCStatsReport; receive: RTCStatsReport }>
  /** Rejects everything that is pending. */
  close(): void
}

/** A producer never stops its track: the caller owns it. */
export interface Producer {
  /** Whether the present encodings suit the track at its present size. */
  supports(track: MediaStreamTrack): boolean
  replaceTrack(track: MediaStreamTrack): Promise<void>
  /** Whether anything is sent of a video; audio is sent in any case, as silence if it is muted. */
  setSending(isSending: boolean): Promise<void>
  close(): void
}

export interface Consumer {
  track: MediaStreamTrack
  /** Grows with each decoded frame; 0: none yet. */
  lastFrameTimestamp(): number
  dtls_parameters?: JsonObject
  close(): void
}

/** The capabilities of this browser to receive, without regard to a router; null: unknown as yet. */
export type ReceivingCapabilities = () => JsonObject | null

export type OpenTransports = (
  opened: OpenedEndpoint,
  onState: (state: TransportState) => void,
) => Promise<MediaTransports>

/** A camera or microphone as a call sees it, implemented by devices/input.ts. The page owns it. */
export interface LocalInput
  extends Readable<{ is: 'off' | 'requesting' | 'failed' } | { is: 'on'; track: MediaStreamTrack }> {
  turnOff(): void
}

/** Opens the browser's dialog. Rejects with a ShareFailure; any other error means that the user has declined. */
export type CaptureScreen = () => Promise<{ video: MediaStreamTrack; audio: MediaStreamTrack | null }>
