import type { DomainEvents } from '../domain-events.ts'
import type { SfuEvents } from '../media/ports.ts'
import type { MediaEvent } from '../sessions/ports.ts'
import { presentMovedRoute, presentNegotiation, presentOffer, presentPublication } from './media-mapping.ts'
import type { ServerStreams } from './streams/server-streams.ts'
import { encodeTail } from './v2/envelopes.ts'

/** Media signals are frequent, so that they expire soon. */
const TTL_MS = 3_000

/**
 * Publishes what happens in the media server: changes of publications as domain events, which sessions turn into their
 * own, measurements as signals, and offers to the participant that they are for.
 */
export function createMediaEventPublisher(domainEvents: DomainEvents, streams: ServerStreams): SfuEvents {
  const apply = (sessionId: number, event: MediaEvent) =>
    domainEvents.publish('media-changed', { sessionId, event })
  return {
    offer: (participant, negotiation, offer) => {
      const media = presentNegotiation(participant, negotiation)
      const encoded = encodeTail({ media, name: 'webrtc_offer', body: presentOffer(offer) })
      streams.sessions.send(participant.sessionId, participant.participantId, encoded)
    },
    published: (sessionId, publication) =>
      apply(sessionId, {
        name: 'publication.added',
        body: { publication: presentPublication(publication) },
      }),
    changed: (sessionId, publication) =>
      apply(sessionId, {
        name: 'publication.changed',
        body: { publication: presentPublication(publication) },
      }),
    unpublished: (sessionId, { publicationId, participantId }) =>
      apply(sessionId, {
        name: 'publication.removed',
        body: { publication_id: publicationId, participant_id: participantId },
      }),
    moved: (sessionId, route) => apply(sessionId, { name: 'media.moved', body: presentMovedRoute(route) }),
    activeSpeaker: (sessionId, participant_id) =>
      streams.sessions.signal(sessionId, {
        sourceId: participant_id ?? 'server',
        name: 'speaker.active',
        body: { participant_id },
        ttlMs: TTL_MS,
      }),
    audioLevels: (sessionId, levels) =>
      streams.sessions.signal(sessionId, {
        sourceId: 'server',
        name: 'audio.levels',
        body: { levels: Object.fromEntries(levels.map(({ participantId, dBov }) => [participantId, dBov])) },
        ttlMs: TTL_MS,
      }),
    quality: ({ sessionId, participantId }, score) =>
      streams.sessions.signal(sessionId, {
        sourceId: participantId,
        name: 'connection.quality',
        body: { score },
        ttlMs: TTL_MS,
      }),
    reception: ({ sessionId, participantId }, reception) =>
      streams.sessions.signalTo(sessionId, participantId, {
        sourceId: 'server',
        name: 'media.reception',
        body: reception,
        ttlMs: TTL_MS,
      }),
    undecodable: ({ sessionId, participantId }, publication_id) =>
      streams.sessions.signalTo(sessionId, participantId, {
        sourceId: 'server',
        name: 'media.undecodable',
        body: { publication_id },
        ttlMs: TTL_MS,
      }),
  }
}
