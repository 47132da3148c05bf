import { sessionStream } from '@lectern/protocol/control'
import type { SfuEvents } from '../media/ports.ts'
import type { ConferenceSessions } from '../sessions/conference-sessions.ts'
import type { MediaEvent } from '../sessions/ports.ts'
import type { Streams } from '../streams/streams.ts'
import { presentNegotiation, presentOffer, presentPublication, presentRoute } from './media-mapping.ts'

/** Signals of media are told often, so they are not worth much later. */
const TTL_MS = 3_000

/**
 * Where what media tells goes: what must not be missed through the conference, what nobody misses as signals,
 * offers to the one they are for. The conferences are asked for late, because they need media themselves.
 */
export function createMediaEventPublisher(
  conferences: () => ConferenceSessions,
  streams: Streams,
): SfuEvents {
  const streamOf = (sessionId: number) => sessionStream(String(sessionId))
  const note = (sessionId: number, event: MediaEvent) => conferences().applyMediaEvent(sessionId, event)
  return {
    offer: (participant, negotiation, offer) =>
      streams.sendMediaTo(streamOf(participant.sessionId), participant.participantId, {
        media: presentNegotiation(participant, negotiation),
        name: 'webrtc_offer',
        body: { ...presentOffer(offer) },
      }),
    published: (sessionId, publication) =>
      note(sessionId, {
        name: 'publication.added',
        body: { publication: presentPublication(publication) },
      }),
    changed: (sessionId, publication) =>
      note(sessionId, {
        name: 'publication.changed',
        body: { publication: presentPublication(publication) },
      }),
    unpublished: (sessionId, { publicationId, participantId }) =>
      note(sessionId, {
        name: 'publication.removed',
        body: { publication_id: publicationId, participant_id: participantId },
      }),
    moved: (sessionId, route) => note(sessionId, { name: 'media.moved', body: presentRoute(route) }),
    activeSpeaker: (sessionId, participant_id) =>
      streams.signal(streamOf(sessionId), {
        sourceId: participant_id ?? 'server',
        name: 'speaker.active',
        body: { participant_id },
        ttlMs: TTL_MS,
      }),
    audioLevels: (sessionId, levels) =>
      streams.signal(streamOf(sessionId), {
        sourceId: 'server',
        name: 'audio.levels',
        body: { levels: Object.fromEntries(levels.map(({ participantId, dBov }) => [participantId, dBov])) },
        ttlMs: TTL_MS,
      }),
    quality: ({ sessionId, participantId }, score) =>
      streams.signal(streamOf(sessionId), {
        sourceId: participantId,
        name: 'connection.quality',
        body: { score },
        ttlMs: TTL_MS,
      }),
  }
}
