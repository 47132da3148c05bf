import type { ControlError, MediaRef, SubscribeAnswer } from '@lectern/protocol/control'
import { kindOf } from './codecs.ts'
import { withDependencies } from './dependency-descriptor.ts'
import type { Endpoint } from './endpoint.ts'
import type { Shown } from './ports.ts'
import { measure } from './quality.ts'
import { demand } from './refusals.ts'
import { isCurrent, type Member, type Published, type RoomState, seatOf } from './room-state.ts'
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
  const { publication_id, participant_id, source } = view
  const { endpoint } = viewer
  if (!endpoint?.rtpCapabilities || viewer.id === participant_id || state.is !== 'flowing') return
  const { rtpCapabilities, route, subscriptions } = endpoint
  const { producer } = state

  const known = subscriptions.get(publication_id)
  if (known?.producer === producer) return tell(room, viewer, endpoint, view, known)
  if (!route.router.canConsume({ producerId: producer.id, rtpCapabilities })) return
  known?.close()
  const subscription = new Subscription(producer, source, viewer.shown.get(publication_id))
  // Nobody sees how well it gets to an observer.
  const onScore = endpoint instanceof Tap ? () => {} : () => measure(room, viewer)
  subscriptions.set(publication_id, subscription)
  try {
    await subscription.open(endpoint.receive, rtpCapabilities, onScore)
    tell(room, viewer, endpoint, view, subscription)
  } catch (error) {
    // The sender or the viewer has gone meanwhile, or the viewer can decode nothing in truth.
    if (subscriptions.get(publication_id) === subscription) subscriptions.delete(publication_id)
    room.log.debug({ err: error, publicationId: publication_id }, 'not offered')
  }
}

function tell(
  room: RoomState,
  viewer: Member,
  { id, route }: Endpoint | Tap,
  { publication_id, participant_id, source }: Published['view'],
  { unanswered, negotiationId }: Subscription,
): void {
  if (!unanswered) return
  const kind = kindOf(source)
  const ref: MediaRef = {
    conference_session_id: String(room.sessionId),
    participant_instance_id: viewer.id,
    publication_id,
    endpoint_id: id,
    negotiation_id: negotiationId,
    rtc_node_id: route.node.id,
    route_generation: route.generation,
    scope: `${kind}-subscribe`,
  }
  room.events.offer(seatOf(room, viewer), ref, {
    format: 'ortc',
    consumer_id: unanswered.id,
    kind,
    source,
    participant_id,
    rtp_parameters: { ...withDependencies(unanswered.rtpParameters) },
  })
}

/** Connects the viewer and lets the media flow. An answer to something that is over is dropped. */
export async function takeAnswer(
  viewer: Member,
  ref: MediaRef,
  answer: SubscribeAnswer | { error: ControlError },
): Promise<void> {
  const { endpoint } = viewer
  const subscription = endpoint?.subscriptions.get(ref.publication_id)
  if (!endpoint || !isCurrent(endpoint, ref) || subscription?.negotiationId !== ref.negotiation_id) return
  if ('error' in answer) {
    subscription.close()
    endpoint.subscriptions.delete(ref.publication_id)
    return
  }
  await endpoint.receive.connect(answer.dtls_parameters)
  await ifOpen(endpoint, subscription.answered())
}

export async function setLayers(
  room: RoomState,
  viewer: Member,
  publicationId: string,
  shown: Shown,
): Promise<void> {
  demand(room.publications.has(publicationId), 'no_publication')
  viewer.shown.set(publicationId, shown)
  const { endpoint } = viewer
  const subscription = endpoint?.subscriptions.get(publicationId)
  if (endpoint && subscription) await ifOpen(endpoint, subscription.show(shown))
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
