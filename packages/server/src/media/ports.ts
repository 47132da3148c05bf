import type {
  ControlError,
  MediaRef,
  mediaCommands,
  mediaData,
  mediaEvents,
  Publication,
  PublishAnswer,
  PublishOffer,
  SubscribeAnswer,
  SubscribeOffer,
} from '@lectern/protocol/control'
import type { Static } from 'typebox'

/** Who sends and receives: a participant of a session. */
export interface Seat {
  sessionId: number
  participantId: string
}

export type Opened = Omit<Static<(typeof mediaData)['media.open']>, 'ice_servers' | 'ice_servers_ttl_ms'>
export type OpenOptions = Static<(typeof mediaCommands)['media.open']>
export type RestartedIce = Static<(typeof mediaData)['media.restart_ice']>
/** How large a picture is shown; null: not at all. */
export type Shown = Static<(typeof mediaCommands)['media.set_layers']>['shown']
export type Moved = Static<(typeof mediaEvents)['media.moved']>
export type Removed = Static<(typeof mediaEvents)['publication.removed']>

/**
 * What participants ask of media. The caller has checked that the seat is taken and that bodies have their
 * shape. Whatever is refused throws a `MediaRefusal`.
 */
export interface SeatMedia {
  /**
   * Makes an endpoint in place of one that the seat had. Publications of before are awaited for a while, to
   * be published again under their ids, and then end.
   */
  open(seat: Seat, options: OpenOptions): Promise<Opened>
  /** From now on this end is offered what others publish. Again: what it has not answered yet. */
  receive(seat: Seat, endpointId: string, rtpCapabilities: object): Promise<void>
  restartIce(seat: Seat, endpointId: string): Promise<RestartedIce>
  publish(seat: Seat, ref: MediaRef, offer: PublishOffer): Promise<PublishAnswer>
  /** To an offer of ours. An answer to something that is over is dropped silently. */
  answer(seat: Seat, ref: MediaRef, answer: SubscribeAnswer | { error: ControlError }): Promise<void>
  pause(seat: Seat, publicationId: string): Promise<void>
  resume(seat: Seat, publicationId: string): Promise<void>
  setLayers(seat: Seat, publicationId: string, shown: Shown): Promise<void>
  /** Ends one own publication, or without it the endpoint with all of them. */
  close(seat: Seat, publicationId?: string): void
}

export interface AudioLevel {
  participantId: string
  /** 0 is the loudest there is, -127 silence. */
  dBov: number
}

/** What media tells of itself. Nothing here may throw, or wait. */
export interface SfuEvents {
  /** To be sent to that participant as `webrtc_offer`. */
  offer(seat: Seat, ref: MediaRef, offer: SubscribeOffer): void
  published(sessionId: number, publication: Publication): void
  changed(sessionId: number, publication: Publication): void
  unpublished(sessionId: number, removed: Removed): void
  /** A worker died: everybody who had an endpoint opens another. */
  moved(sessionId: number, moved: Moved): void
  activeSpeaker(sessionId: number, participantId: string | null): void
  /** Who is heard, loudest first; whoever is missing is not. */
  audioLevels(sessionId: number, levels: AudioLevel[]): void
  /** How well media gets from and to the seat, 0 to 10. */
  quality(seat: Seat, score: number): void
}
