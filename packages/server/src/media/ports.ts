import type {
  CommandBody,
  CommandData,
  EventBody,
  MediaRef,
  MediaRoute,
  Publication,
  SubscribeOffer,
} from '@lectern/protocol/control'
import type { SeatMedia, Shown } from '../control/ports.ts'

/** Who sends and receives: a participant of a session, or who observes it and only receives. */
export interface Seat {
  sessionId: number
  participantId: string
}

export type Opened = Awaited<ReturnType<SeatMedia['open']>>
export type OpenOptions = CommandBody<'media.open'>
export type TapOptions = CommandBody<'media.tap'>
export type Tapped = CommandData<'media.tap'>
export type RestartedIce = CommandData<'media.restart_ice'>
export type { SeatMedia, Shown }

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
  unpublished(sessionId: number, removed: EventBody<'publication.removed'>): void
  /** A worker died: everybody who had an endpoint opens another. */
  moved(sessionId: number, route: MediaRoute): void
  activeSpeaker(sessionId: number, participantId: string | null): void
  /** Who is heard, loudest first; whoever is missing is not. */
  audioLevels(sessionId: number, levels: AudioLevel[]): void
  /** How well media gets from and to the seat, 0 to 10. */
  quality(seat: Seat, score: number): void
}
