import { kindOf } from './codecs.ts'
import { Endpoint } from './endpoint.ts'
import { scalesOf } from './layers.ts'
import type { RoomState, TrackPublication } from './room-state.ts'
import type { RtpEgress } from './rtp-egress.ts'
import type { TrackSource } from './track-source.ts'

/** Whether the viewer may be unable to join the spatial layers of the video. */
export const isDoubtful = (endpoint: Endpoint | RtpEgress, { encodings }: TrackSource): boolean =>
  endpoint instanceof Endpoint &&
  endpoint.avoidsSpatialLayers &&
  encodings.length === 1 &&
  scalesOf(encodings).length > 1

/**
 * Remembers that a viewer cannot decode a video, and reports it to the publisher, who can send VP8 instead. Viewers without
 * VP8 are not reported: they receive no video at all, or no publisher could serve them.
 */
export function noteUndecodable(
  room: RoomState,
  endpoint: Endpoint | RtpEgress,
  { publication, state }: TrackPublication,
): void {
  if (!(endpoint instanceof Endpoint) || !('source' in state) || !receivesVp8(endpoint)) return
  if (kindOf(publication.source) !== 'video') return
  endpoint.undecodable.set(publication.publicationId, state.source)
  report(room, publication)
}

/** Signals may be lost. */
export function repeatUndecodable(room: RoomState, { undecodable }: Endpoint): void {
  for (const [publicationId, source] of undecodable) {
    const published = room.publications.get(publicationId)
    const isPresent = published && 'source' in published.state && published.state.source === source
    if (isPresent) report(room, published.publication)
    else undecodable.delete(publicationId)
  }
}

const receivesVp8 = ({ rtpCapabilities }: Endpoint) =>
  rtpCapabilities?.codecs?.some(({ mimeType }) => mimeType.toLowerCase() === 'video/vp8')

function report(
  { sessionId, events }: RoomState,
  { participantId, publicationId }: TrackPublication['publication'],
): void {
  events.undecodable({ sessionId, participantId }, publicationId)
}
