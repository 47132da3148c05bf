import type { ControlClient, Readable } from '@lectern/control-client'
import type {
  CommandData,
  JsonObject,
  MediaSource,
  SubscribeOffer,
  Target,
} from '@lectern/protocol/control/client'

/** What a call needs from outside, in its own words. mediasoup.ts and the browser implement it. */

export type Control = Pick<
  ControlClient,
  | 'close'
  | 'command'
  | 'onEvent'
  | 'onMedia'
  | 'onSignal'
  | 'onSnapshot'
  | 'onStart'
  | 'online'
  | 'open'
  | 'sendMedia'
  | 'sendSignal'
  | 'session'
  | 'state'
  | 'wake'
>

/** Where this participant is. A new join is a new place, also in the same session. */
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

/** `dtls_parameters` come along every time: nobody knows which message is the first to arrive. */
export interface ProducerParameters {
  rtp_parameters: JsonObject
  dtls_parameters?: JsonObject
}

/** The worse of the two transports; new: neither has had anything to carry yet. */
export type TransportState = 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed'

/** This browser's end of an endpoint. */
export interface MediaTransports {
  /** What it can decode. */
  readonly rtpCapabilities: JsonObject
  /** `announce` tells the server; the sender begins when it resolves. */
  produce(
    track: MediaStreamTrack,
    source: MediaSource,
    announce: (what: ProducerParameters) => Promise<void>,
  ): Promise<Producer>
  consume(publicationId: string, offer: SubscribeOffer): Promise<Consumer>
  restartIce(restart: IceRestart): Promise<void>
  /** Whatever is under way is rejected. */
  close(): void
}

/** The tracks belong to whoever made them: a sender never stops one. */
export interface Producer {
  /** Whether its encodings are those that the track, as large as it is now, would be sent in. */
  supports(track: MediaStreamTrack): boolean
  replaceTrack(track: MediaStreamTrack): Promise<void>
  close(): void
}

export interface Consumer {
  track: MediaStreamTrack
  /** Grows with each frame that was decoded; 0: none was yet. */
  lastFrameTimestamp(): number
  dtls_parameters?: JsonObject
  close(): void
}

export type OpenTransports = (
  opened: OpenedEndpoint,
  onState: (state: TransportState) => void,
) => Promise<MediaTransports>

/** A camera or microphone, as far as a call sees it; devices/input.ts is one. It belongs to the page. */
export interface LocalInput
  extends Readable<{ is: 'off' | 'asking' | 'failed' } | { is: 'on'; track: MediaStreamTrack }> {
  turnOff(): void
}

/** Asks what to share. A rejection is the browser's own, such as NotAllowedError. */
export type CaptureScreen = () => Promise<{ video: MediaStreamTrack; audio: MediaStreamTrack | null }>
