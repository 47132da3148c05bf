import type { Logger } from 'pino'
import { Endpoint } from './endpoint.ts'
import type { NodeConnections } from './pipes/ports.ts'
import type { DisplaySize, Negotiation, Publication, SfuEvents } from './ports.ts'
import { assertMedia } from './refusals.ts'
import type { RoomSpeakers } from './room-speakers.ts'
import type { RtpEgress } from './rtp-egress.ts'
import type { LocalSource, RemoteSource } from './track-source.ts'

export type TrackPublicationState =
  | { is: 'starting' }
  | { is: 'active'; source: LocalSource }
  /** The sender is on another media node. */
  | { is: 'remote'; source: RemoteSource }
  /** The endpoint is closed; the sender is expected to publish again. */
  | { is: 'awaited'; until: NodeJS.Timeout }

/** A publication and its producer, if it has one now. */
export interface TrackPublication {
  publication: Publication
  state: TrackPublicationState
  /** Whether `published` was emitted. */
  isAnnounced: boolean
}

/** The media of a participant; with an RTP egress, of an observer. */
export interface Member {
  id: string
  endpoint: Endpoint | RtpEgress | null
  /** The newest attempt to open an endpoint supersedes older ones. */
  attempt: symbol | null
  /** By publication. It survives a change of the endpoint. */
  displaySizes: Map<string, DisplaySize>
  /** The last reported value. */
  quality: number | null
}

/** The state that the modules of a room share. */
export interface RoomState {
  sessionId: number
  members: Map<string, Member>
  publications: Map<string, TrackPublication>
  speakers: RoomSpeakers
  events: SfuEvents
  log: Logger
  republishTimeoutMs: number
  /** Absent unless rooms have participants on several nodes. */
  nodes?: NodeConnections | undefined
}

export const participantRef = ({ sessionId }: RoomState, { id }: Member) => ({ sessionId, participantId: id })

export function endpointOf(member: Member, endpointId: string): Endpoint {
  const { endpoint } = member
  assertMedia(endpoint instanceof Endpoint && endpoint.id === endpointId && !endpoint.closed, 'gone')
  return endpoint
}

/** Whether a negotiation belongs to the present endpoint and its route. */
export const isCurrent = (
  endpoint: Endpoint | RtpEgress,
  { endpointId, workerId, routeGeneration }: Negotiation,
): boolean =>
  endpoint.id === endpointId &&
  endpoint.roomRouter.node.id === workerId &&
  endpoint.routeGeneration === routeGeneration &&
  !endpoint.closed

export function ownPublication({ publications }: RoomState, member: Member, id: string): TrackPublication {
  const published = publications.get(id)
  assertMedia(published?.publication.participantId === member.id, 'not_yours')
  return published
}
