import type { Publication } from './ports.ts'
import { unpublish } from './publishing.ts'
import { assertMedia } from './refusals.ts'
import type { RoomState } from './room-state.ts'
import { offerToAll } from './subscribing.ts'
import type { RemoteSource } from './track-source.ts'

/** Of all other nodes together. */
const MAX_REMOTE_PUBLICATIONS = 4_096

/**
 * A publication of a participant on another node, or its next producer: offers it to the participants here. Its node
 * emits the events about it. A publication of a participant here is never replaced: `media_id_taken`.
 */
export function addRemotePublication(room: RoomState, publication: Publication, source: RemoteSource): void {
  const { publicationId, participantId } = publication
  const known = room.publications.get(publicationId)
  assertMedia(!known || known.state.is === 'remote', 'id_taken')
  if (!known) {
    const others = [...room.publications.values()].filter(({ state }) => state.is === 'remote')
    assertMedia(others.length < MAX_REMOTE_PUBLICATIONS, 'too_many')
  }
  const published = {
    publication: { ...publication },
    state: { is: 'remote' as const, source },
    isAnnounced: false,
  }
  room.publications.set(publicationId, published)
  if (publication.source === 'microphone') room.speakers.add(publicationId, { participantId, source })
  offerToAll(room, published)
}

/** Safe to repeat. */
export function removeRemotePublication(room: RoomState, publicationId: string): void {
  const published = room.publications.get(publicationId)
  if (published?.state.is === 'remote') unpublish(room, published)
}
