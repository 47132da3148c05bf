import type { Producer } from 'mediasoup/types'
import type { MutableSource } from '../sessions/ports.ts'
import { kindOf } from './codecs.ts'
import type { Endpoint } from './endpoint.ts'
import { readRtpParameters } from './ortc.ts'
import type { Negotiation, Publication, PublishOffer } from './ports.ts'
import { updateQuality } from './quality.ts'
import { assertMedia, MediaRefusal, translateErrors } from './refusals.ts'
import { endpointOf, isCurrent, type Member, type RoomState, type TrackPublication } from './room-state.ts'
import { offerToAll } from './subscribing.ts'
import { LocalSource } from './track-source.ts'

export const MAX_PUBLICATIONS = 8

/** Starts to send a track to everybody. Throws a MediaRefusal: `gone` if the endpoint or its route is no longer the present one. */
export async function publish(
  room: RoomState,
  member: Member,
  negotiation: Negotiation,
  offer: PublishOffer,
): Promise<void> {
  const { publicationId } = negotiation
  const endpoint = endpointOf(member, negotiation.endpointId)
  assertMedia(isCurrent(endpoint, negotiation), 'gone')
  // Even when the rest is refused: a client sends its DTLS parameters only once.
  await endpoint.send.connect(offer.dtlsParameters)
  const kind = kindOf(offer.source)
  assertMedia(negotiation.direction === 'publish' && negotiation.kind === kind, 'wrong_scope')
  const rtpParameters = readRtpParameters(kind, offer.rtpParameters)
  const published = reserve(room, member, publicationId, offer)
  try {
    const { paused } = published.publication
    const { transport } = endpoint.send
    const producer = await translateErrors(transport, () =>
      transport.produce({ kind, rtpParameters, paused }),
    )
    if (endpoint.closed || room.publications.get(publicationId) !== published) {
      producer.close() // the transport or the publication was closed meanwhile
      throw new MediaRefusal('gone')
    }
    attachProducer(room, member, published, endpoint, producer)
  } catch (error) {
    if (published.state.is === 'starting') awaitRepublication(room, published)
    throw error
  }
}

/**
 * A publication of a former route, of which everybody knows; its sender will publish it again. One of another node is
 * received from there until then.
 */
export function awaitPublication(room: RoomState, publication: Publication): void {
  const known = room.publications.get(publication.publicationId)
  if (known && known.state.is !== 'remote') return
  const published: TrackPublication = {
    publication: { ...publication },
    state: { is: 'starting' },
    isAnnounced: true,
  }
  room.publications.set(publication.publicationId, published)
  awaitRepublication(room, published)
}

/** Reserves the id while the producer is being created. */
function reserve(
  room: RoomState,
  member: Member,
  id: string,
  { source, paused }: PublishOffer,
): TrackPublication {
  const known = room.publications.get(id)
  if (known) {
    const { publication, state } = known
    assertMedia(publication.participantId === member.id && publication.source === source, 'id_taken')
    assertMedia(state.is !== 'starting', 'busy')
    releaseProducer(known)
    known.state = { is: 'starting' }
    // A publication that was muted while it was awaited remains muted until its sender resumes it.
    if (paused) void setPaused(room, known, true)
    return known
  }
  assertMedia(publicationsOf(room, member.id).length < MAX_PUBLICATIONS, 'too_many')
  const publication = { publicationId: id, participantId: member.id, source, paused }
  const published: TrackPublication = { publication, state: { is: 'starting' }, isAnnounced: false }
  room.publications.set(id, published)
  return published
}

function attachProducer(
  room: RoomState,
  member: Member,
  published: TrackPublication,
  { roomRouter }: Endpoint,
  producer: Producer,
): void {
  const { publication } = published
  const source = new LocalSource(producer, roomRouter)
  published.state = { is: 'active', source }
  if (producer.paused !== publication.paused) void applyPause(room, producer, publication.paused)
  producer.on('score', () => updateQuality(room, member))
  producer.once('transportclose', () => {
    if (published.state.is === 'active' && published.state.source === source)
      awaitRepublication(room, published)
  })
  if (publication.source === 'microphone')
    room.speakers.add(publication.publicationId, { participantId: member.id, source })
  if (!published.isAnnounced) {
    published.isAnnounced = true
    room.events.published(room.sessionId, { ...publication })
  }
  const { nodes, sessionId } = room
  nodes?.onTrack(sessionId, publication.publicationId, source.describe(nodes.nodeId))
  offerToAll(room, published)
}

/** Resolves when it has taken effect. */
export async function setPaused(
  room: RoomState,
  { publication, state, isAnnounced }: TrackPublication,
  paused: boolean,
): Promise<void> {
  if (publication.paused === paused) return
  publication.paused = paused
  if (isAnnounced) room.events.changed(room.sessionId, { ...publication })
  if (state.is === 'active') await applyPause(room, state.source.producer, paused)
}

/** A voice may come under the name of either source of audio. */
const mutedSources: Record<MutableSource, TrackPublication['publication']['source'][]> = {
  audio: ['microphone', 'screen_audio'],
  video: ['camera'],
  screen: ['screen', 'screen_audio'],
}

export function mute(room: RoomState, participantId: string, source: MutableSource): void {
  for (const published of publicationsOf(room, participantId))
    if (mutedSources[source].includes(published.publication.source)) void setPaused(room, published, true)
}

/** Ends a publication, and what viewers receive of it. */
export function unpublish(room: RoomState, published: TrackPublication): void {
  const { publicationId, participantId } = published.publication
  room.publications.delete(publicationId)
  room.speakers.remove(publicationId)
  for (const { endpoint, displaySizes } of room.members.values()) {
    endpoint?.subscriptions.get(publicationId)?.close()
    endpoint?.subscriptions.delete(publicationId)
    displaySizes.delete(publicationId)
  }
  releaseProducer(published) // after its consumers: the worker closes a producer's consumers, which could not be closed again
  if (published.isAnnounced) room.events.unpublished(room.sessionId, { publicationId, participantId })
}

export const publicationsOf = ({ publications }: RoomState, participantId: string): TrackPublication[] =>
  [...publications.values()].filter(({ publication }) => publication.participantId === participantId)

function releaseProducer({ state }: TrackPublication): void {
  if (state.is === 'active') state.source.producer.close()
  if (state.is === 'awaited') clearTimeout(state.until)
}

/** Waits until the sender publishes it again. A publication that was never announced is dropped at once. */
function awaitRepublication(room: RoomState, published: TrackPublication): void {
  if (room.publications.get(published.publication.publicationId) !== published) return
  if (published.isAnnounced) {
    const until = setTimeout(() => unpublish(room, published), room.republishTimeoutMs)
    published.state = { is: 'awaited', until: until.unref() }
  } else unpublish(room, published)
}

/** A producer that was closed meanwhile needs no change. */
async function applyPause({ log }: RoomState, producer: Producer, paused: boolean): Promise<void> {
  const applied = paused ? producer.pause() : producer.resume()
  await applied.catch(error => log.debug({ err: error }, 'producer is closed'))
}
