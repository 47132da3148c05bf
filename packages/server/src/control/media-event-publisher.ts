import {
  type MediaRef,
  type Publication,
  type SubscribeOffer,
  sessionStream,
} from '@lectern/protocol/control'
import type { ConferenceSessions } from '../sessions/conference-sessions.ts'
import type { ParticipantRef } from '../sessions/membership.ts'
import type { MediaEvent } from '../sessions/ports.ts'
import type { Streams } from '../streams/streams.ts'

/** Signals of media are told often, so they are not worth much later. */
const TTL_MS = 3_000

type BodyOf<N extends MediaEvent['name']> = Extract<MediaEvent, { name: N }>['body']

/**
 * Where what media tells goes: what must not be missed through the conference, what nobody misses as signals,
 * offers to the one they are for. The conferences are asked for late, because they need media themselves.
 */
export function createMediaEventPublisher(conferences: () => ConferenceSessions, streams: Streams) {
  const streamOf = (sessionId: number) => sessionStream(String(sessionId))
  const note = (sessionId: number, event: MediaEvent) => conferences().applyMediaEvent(sessionId, event)
  return {
    offer: ({ sessionId, participantId }: ParticipantRef, media: MediaRef, body: SubscribeOffer) =>
      streams.sendMediaTo(streamOf(sessionId), participantId, {
        media,
        name: 'webrtc_offer',
        body: { ...body },
      }),
    published: (sessionId: number, publication: Publication) =>
      note(sessionId, { name: 'publication.added', body: { publication } }),
    changed: (sessionId: number, publication: Publication) =>
      note(sessionId, { name: 'publication.changed', body: { publication } }),
    unpublished: (sessionId: number, body: BodyOf<'publication.removed'>) =>
      note(sessionId, { name: 'publication.removed', body }),
    moved: (sessionId: number, body: BodyOf<'media.moved'>) => note(sessionId, { name: 'media.moved', body }),
    activeSpeaker: (sessionId: number, participant_id: string | null) =>
      streams.signal(streamOf(sessionId), {
        sourceId: participant_id ?? 'server',
        name: 'speaker.active',
        body: { participant_id },
        ttlMs: TTL_MS,
      }),
    audioLevels: (sessionId: number, levels: { participantId: string; dBov: number }[]) =>
      streams.signal(streamOf(sessionId), {
        sourceId: 'server',
        name: 'audio.levels',
        body: { levels: Object.fromEntries(levels.map(({ participantId, dBov }) => [participantId, dBov])) },
        ttlMs: TTL_MS,
      }),
    quality: ({ sessionId, participantId }: ParticipantRef, score: number) =>
      streams.signal(streamOf(sessionId), {
        sourceId: participantId,
        name: 'connection.quality',
        body: { score },
        ttlMs: TTL_MS,
      }),
  }
}
