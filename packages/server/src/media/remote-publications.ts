import type { Publication, PublishedTrack, RoomDescription } from './ports.ts'
import { unpublish } from './publishing.ts'
import { assertMedia } from './refusals.ts'
import type { RoomState } from './room-state.ts'
import { offerToAll } from './subscribing.ts'
import type { RemoteSource } from './track-source.ts'

/** For all other nodes together. */
const MAX_REMOTE_PUBLICATIONS = 4_096

/**
 * A publication of a participant on another node, or its next producer: offers it to the participants here. Its node
 * emits the events about it. A publication of a participant here is never replaced (`media_id_taken`), unless its sender
 * was awaited and has published it there.
 */
export function addRemotePublication(room: RoomState, publication: Publication, source: RemoteSource): void {
  const { publicationId, participantId } = publication
  const known = room.publications.get(publicationId)
  const hasMoved = known?.state.is === 'awaited' && known.publication.participantId === participantId
  assertMedia(!known || known.state.is === 'remote' || hasMoved, 'id_taken')
  if (known?.state.is === 'awaited') clearTimeout(known.state.until)
  else if (!known) {
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

/** The producers that other nodes can receive, and those that are received from others. */
export function describeTracks(
  { publications }: RoomState,
  nodeId: string,
): Required<Pick<RoomDescription, 'tracks' | 'remote'>> {
  const tracks: PublishedTrack[] = []
  const remote: { publicationId: string; producerId: string }[] = []
  for (const [publicationId, { state }] of publications) {
    if (state.is === 'active') tracks.push({ publicationId, ...state.source.describe(nodeId) })
    if (state.is === 'remote') remote.push({ publicationId, producerId: state.source.producerId })
  }
  return { tracks, remote }
}
