import type { DomainEvents } from '../domain-events.ts'
import type { SfuEvents } from '../media/ports.ts'
import type { MediaEvent } from '../sessions/ports.ts'
import { type Streams, sessionStreamId } from '../streams/streams.ts'
import { presentNegotiation, presentOffer, presentPublication, presentRoute } from './media-mapping.ts'

/** Signals of media are told often, so they are not worth much later. */
const TTL_MS = 3_000

/**
 * Publishes what media reports: lasting changes as domain events, which sessions turn into their own; measurements as
 * signals, which may be lost; offers to the participant they are for.
 */
export function createMediaEventPublisher(domainEvents: DomainEvents, streams: Streams): SfuEvents {
  const publish = (sessionId: number, event: MediaEvent) =>
    domainEvents.publish('media-changed', { sessionId, event })
  return {
    offer: (participant, negotiation, offer) =>
      streams.sendMediaTo(sessionStreamId(participant.sessionId), participant.participantId, {
        media: presentNegotiation(participant, negotiation),
        name: 'webrtc_offer',
        body: { ...presentOffer(offer) },
      }),
    published: (sessionId, publication) =>
      publish(sessionId, {
        name: 'publication.added',
        body: { publication: presentPublication(publication) },
      }),
    changed: (sessionId, publication) =>
      publish(sessionId, {
        name: 'publication.changed',
        body: { publication: presentPublication(publication) },
      }),
    unpublished: (sessionId, { publicationId, participantId }) =>
      publish(sessionId, {
        name: 'publication.removed',
        body: { publication_id: publicationId, participant_id: participantId },
      }),
    moved: (sessionId, route) => publish(sessionId, { name: 'media.moved', body: presentRoute(route) }),
    activeSpeaker: (sessionId, participant_id) =>
      streams.signal(sessionStreamId(sessionId), {
        sourceId: participant_id ?? 'server',
        name: 'speaker.active',
        body: { participant_id },
        ttlMs: TTL_MS,
      }),
    audioLevels: (sessionId, levels) =>
      streams.signal(sessionStreamId(sessionId), {
        sourceId: 'server',
        name: 'audio.levels',
        body: { levels: Object.fromEntries(levels.map(({ participantId, dBov }) => [participantId, dBov])) },
        ttlMs: TTL_MS,
      }),
    quality: ({ sessionId, participantId }, score) =>
      streams.signal(sessionStreamId(sessionId), {
        sourceId: participantId,
        name: 'connection.quality',
        body: { score },
        ttlMs: TTL_MS,
      }),
  }
}
