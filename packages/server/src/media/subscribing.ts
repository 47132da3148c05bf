import { kindOf } from './codecs.ts'
import { withDependencyDescriptor } from './dependency-descriptor.ts'
import type { Endpoint } from './endpoint.ts'
import type { DisplaySize, Negotiation, SubscribeAnswer } from './ports.ts'
import { updateQuality } from './quality.ts'
import { assertMedia } from './refusals.ts'
import {
  isCurrent,
  type Member,
  participantRef,
  type RoomState,
  type TrackPublication,
} from './room-state.ts'
import { RtpEgress } from './rtp-egress.ts'
import { Subscription } from './subscription.ts'
import { isDoubtful, noteUndecodable } from './undecodable.ts'

const RETRY_MS = 1_000

/** Offers all publications of others to a viewer; offers without an answer are repeated. */
export function offerAllTo(room: RoomState, viewer: Member): void {
  for (const published of room.publications.values()) void offer(room, viewer, published)
}

/** Offers the publication to everybody else who can receive; failures are not reported. */
export function offerToAll(room: RoomState, published: TrackPublication): void {
  for (const viewer of room.members.values()) void offer(room, viewer, published)
}

async function offer(room: RoomState, viewer: Member, published: TrackPublication): Promise<void> {
  const { publication, state } = published
  const { publicationId, participantId, source } = publication
  const { endpoint } = viewer
  if (!endpoint?.rtpCapabilities || viewer.id === participantId || !('source' in state)) return
  const { rtpCapabilities, roomRouter, subscriptions } = endpoint
  const { source: track } = state

  const known = subscriptions.get(publicationId)
  if (known?.track === track) return sendOffer(room, viewer, endpoint, publication, known)
  const isReceivable = track.canBeReceived(rtpCapabilities)
  if (!isReceivable || isDoubtful(endpoint, track)) noteUndecodable(room, endpoint, published)
  if (!isReceivable) return
  known?.close()
  const subscription = new Subscription(track, source, viewer.displaySizes.get(publicationId))
  // The quality of an observer's connection is not shown to anybody.
  const onScore = endpoint instanceof RtpEgress ? () => {} : () => updateQuality(room, viewer)
  subscriptions.set(publicationId, subscription)
  try {
    await subscription.open(roomRouter, endpoint.receive, rtpCapabilities, onScore)
    if (state.is === 'remote')
      subscription.onProducerClosed(() => renew(room, viewer, published, subscription))
    sendOffer(room, viewer, endpoint, publication, subscription)
  } catch (error) {
    // The sender or the viewer has left meanwhile, or the viewer's capabilities match no codec after all.
    if (subscriptions.get(publicationId) === subscription) subscriptions.delete(publicationId)
    room.log.debug({ err: error, publicationId }, 'publication was not offered')
    if (state.is === 'remote') retryLater(room, viewer, published)
  }
}

/** The pipe from the other node has ended, though the publication continues: perhaps the node was only considered failed. */
function renew(
  room: RoomState,
  viewer: Member,
  published: TrackPublication,
  subscription: Subscription,
): void {
  const { publicationId } = published.publication
  const subscriptions = viewer.endpoint?.subscriptions
  if (subscriptions?.get(publicationId) !== subscription) return
  subscriptions.delete(publicationId)
  retryLater(room, viewer, published)
}

/** The other node may have been unreachable for a moment. */
function retryLater(room: RoomState, viewer: Member, published: TrackPublication): void {
  const { endpoint } = viewer
  const retry = () => {
    const isNeeded = room.publications.get(published.publication.publicationId) === published
    if (isNeeded && viewer.endpoint === endpoint) void offer(room, viewer, published)
  }
  setTimeout(retry, RETRY_MS).unref()
}

function sendOffer(
  room: RoomState,
  viewer: Member,
  { id, roomRouter, routeGeneration }: Endpoint | RtpEgress,
  { publicationId, participantId, source }: TrackPublication['publication'],
  { pendingConsumer, negotiationId }: Subscription,
): void {
  if (!pendingConsumer) return
  const kind = kindOf(source)
  const negotiation: Negotiation = {
    id: negotiationId,
    publicationId,
    endpointId: id,
    workerId: roomRouter.node.id,
    routeGeneration,
    kind,
    direction: 'subscribe',
  }
  room.events.offer(participantRef(room, viewer), negotiation, {
    consumerId: pendingConsumer.id,
    kind,
    source,
    participantId,
    rtpParameters: { ...withDependencyDescriptor(pendingConsumer.rtpParameters) },
  })
}

/** Connects the viewer and starts the media. Answers to obsolete offers are dropped. */
export async function handleAnswer(
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
  await ignoreIfClosed(endpoint, subscription.activate())
}

/** Sends the viewer the layer that suffices for the displayed size, also after the next subscription. */
export async function setLayers(
  room: RoomState,
  viewer: Member,
  publicationId: string,
  size: DisplaySize,
): Promise<void> {
  assertMedia(room.publications.has(publicationId), 'no_publication')
  viewer.displaySizes.set(publicationId, size)
  const { endpoint } = viewer
  const subscription = endpoint?.subscriptions.get(publicationId)
  if (endpoint && subscription) await ignoreIfClosed(endpoint, subscription.setDisplaySize(size))
}

/** Does nothing when the publication is not forwarded to the viewer. */
export async function requestKeyFrame({ endpoint }: Member, publicationId: string): Promise<void> {
  await endpoint?.subscriptions.get(publicationId)?.requestKeyFrame()
}

/** An endpoint that closes during a change no longer needs it. */
async function ignoreIfClosed(endpoint: Endpoint | RtpEgress, change: Promise<void>): Promise<void> {
  await change.catch(error => {
    if (!endpoint.closed) throw error
  })
}
