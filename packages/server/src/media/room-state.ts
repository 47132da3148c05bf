import type { Producer } from 'mediasoup/types'
import type { Logger } from 'pino'
import { Endpoint } from './endpoint.ts'
import type { DisplaySize, Negotiation, Publication, SfuEvents } from './ports.ts'
import { demand } from './refusals.ts'
import type { Tap } from './tap.ts'

export type PublishedState =
  | { is: 'starting' }
  | { is: 'flowing'; producer: Producer }
  /** Its endpoint is gone; its sender has another one soon, and publishes it again. */
  | { is: 'awaited'; until: NodeJS.Timeout }

/** What somebody sends. It outlives producers and endpoints. */
export interface Published {
  view: Publication
  state: PublishedState
  /** Whether the others have heard of it. */
  told: boolean
}

/** A participant, as far as media goes; with a tap, an observer. */
export interface Member {
  id: string
  endpoint: Endpoint | Tap | null
  /** The newest attempt to open an endpoint; older ones give up. */
  attempt: symbol | null
  /** How large this viewer shows what others publish. Kept from endpoint to endpoint. */
  shown: Map<string, DisplaySize>
  /** The quality that was told last. */
  quality: number | null
}

/** What the features of a room share. */
export interface RoomState {
  sessionId: number
  members: Map<string, Member>
  publications: Map<string, Published>
  events: SfuEvents
  log: Logger
  republishWithinMs: number
}

export const participantRef = ({ sessionId }: RoomState, { id }: Member) => ({ sessionId, participantId: id })

export function endpointOf(member: Member, endpointId: string): Endpoint {
  const { endpoint } = member
  demand(endpoint instanceof Endpoint && endpoint.id === endpointId && !endpoint.closed, 'gone')
  return endpoint
}

/** Whether a negotiation is about the endpoint and the route that are there now. */
export const isCurrent = (endpoint: Endpoint | Tap, { endpointId, routeGeneration }: Negotiation): boolean =>
  endpoint.id === endpointId && endpoint.route.generation === routeGeneration && !endpoint.closed

export function ownPublication({ publications }: RoomState, member: Member, id: string): Published {
  const published = publications.get(id)
  demand(published?.view.participantId === member.id, 'not_yours')
  return published
}
