import { kindOf } from './codecs.ts'
import { withDependencies } from './dependency-descriptor.ts'
import type { Endpoint } from './endpoint.ts'
import type { DisplaySize, Negotiation, SubscribeAnswer } from './ports.ts'
import { measure } from './quality.ts'
import { demand } from './refusals.ts'
import { isCurrent, type Member, type Published, participantRef, type RoomState } from './room-state.ts'
import { Subscription } from './subscription.ts'
import { Tap } from './tap.ts'

/** Offers a viewer all that others publish; again, what the viewer has not answered yet. */
export function offerAll(room: RoomState, viewer: Member): void {
  for (const published of room.publications.values()) void offer(room, viewer, published)
}

export function offerToAll(room: RoomState, published: Published): void {
  for (const viewer of room.members.values()) void offer(room, viewer, published)
}

async function offer(room: RoomState, viewer: Member, { view, state }: Published): Promise<void> {
  const { publicationId, participantId, source } = view
  const { endpoint } = viewer
  if (!endpoint?.rtpCapabilities || viewer.id === participantId || state.is !== 'flowing') return
  const { rtpCapabilities, route, subscriptions } = endpoint
  const { producer } = state

  const known = subscriptions.get(publicationId)
  if (known?.producer === producer) return tell(room, viewer, endpoint, view, known)
  if (!route.router.canConsume({ producerId: producer.id, rtpCapabilities })) return
  known?.close()
  const subscription = new Subscription(producer, source, viewer.shown.get(publicationId))
  // Nobody sees how well it gets to an observer.
  const onScore = endpoint instanceof Tap ? () => {} : () => measure(room, viewer)
  subscriptions.set(publicationId, subscription)
  try {
    await subscription.open(endpoint.receive, rtpCapabilities, onScore)
    tell(room, viewer, endpoint, view, subscription)
  } catch (error) {
    // The sender or the viewer has gone meanwhile, or the viewer can decode nothing in truth.
    if (subscriptions.get(publicationId) === subscription) subscriptions.delete(publicationId)
    room.log.debug({ err: error, publicationId }, 'not offered')
  }
}

function tell(
  room: RoomState,
  viewer: Member,
  { id, route }: Endpoint | Tap,
  { publicationId, participantId, source }: Published['view'],
  { unanswered, negotiationId }: Subscription,
): void {
  if (!unanswered) return
  const kind = kindOf(source)
  const negotiation: Negotiation = {
    id: negotiationId,
    publicationId,
    endpointId: id,
    nodeId: route.node.id,
    routeGeneration: route.generation,
    kind,
    direction: 'subscribe',
  }
  room.events.offer(participantRef(room, viewer), negotiation, {
    consumerId: unanswered.id,
    kind,
    source,
    participantId,
    rtpParameters: { ...withDependencies(unanswered.rtpParameters) },
  })
}

/** Connects the viewer and lets the media flow. An answer to something that is over is dropped. */
export async function takeAnswer(
  viewer: Member,
  negotiation: Negotiation,
  answer: SubscribeAnswer | { error: object },
): Promise<void> {
  const { endpoint } = viewer
  const subscription = endpoint?.subscriptions.get(negotiation.publicationId)
  if (!endpoint || !isCurrent(endpoint, negotiation) || subscription?.negotiationId !== negotiation.id) return
  if ('error' in answer) {
    subscription.close()
    endpoint.subscriptions.delete(negotiation.publicationId)
    return
  }
  await endpoint.receive.connect(answer.dtlsParameters)
  await ifOpen(endpoint, subscription.answered())
}

export async function setLayers(
  room: RoomState,
  viewer: Member,
  publicationId: string,
  size: DisplaySize,
): Promise<void> {
  demand(room.publications.has(publicationId), 'no_publication')
  viewer.shown.set(publicationId, size)
  const { endpoint } = viewer
  const subscription = endpoint?.subscriptions.get(publicationId)
  if (endpoint && subscription) await ifOpen(endpoint, subscription.show(size))
}

/** Nothing is asked for a publication that does not come here, or not yet. */
export async function requestKeyFrame({ endpoint }: Member, publicationId: string): Promise<void> {
  await endpoint?.subscriptions.get(publicationId)?.requestKeyFrame()
}

/** What is closed in the middle of a change no longer needs it. */
async function ifOpen(endpoint: Endpoint | Tap, change: Promise<void>): Promise<void> {
  await change.catch(error => {
    if (!endpoint.closed) throw error
  })
}
