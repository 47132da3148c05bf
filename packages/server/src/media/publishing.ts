import type { Producer } from 'mediasoup/types'
import type { MutableSource } from '../sessions/ports.ts'
import { kindOf } from './codecs.ts'
import type { Endpoint } from './endpoint.ts'
import { readRtpParameters } from './ortc.ts'
import type { Negotiation, PublishOffer } from './ports.ts'
import { measure } from './quality.ts'
import { demand, MediaRefusal, refusing } from './refusals.ts'
import { endpointOf, isCurrent, type Member, type Published, type RoomState } from './room-state.ts'
import { offerToAll } from './subscribing.ts'

export const PUBLICATIONS_MAX = 8

export async function publish(
  room: RoomState,
  member: Member,
  negotiation: Negotiation,
  offer: PublishOffer,
): Promise<void> {
  const { publicationId } = negotiation
  const endpoint = endpointOf(member, negotiation.endpointId)
  demand(isCurrent(endpoint, negotiation), 'gone')
  // Even when the rest is refused: a client tells its part of DTLS only once.
  await endpoint.send.connect(offer.dtlsParameters)
  const kind = kindOf(offer.source)
  demand(negotiation.direction === 'publish' && negotiation.kind === kind, 'wrong_scope')
  const rtpParameters = readRtpParameters(kind, offer.rtpParameters)
  const published = claim(room, member, publicationId, offer)
  try {
    const { paused } = published.view
    const { transport } = endpoint.send
    const producer = await refusing(transport, () => transport.produce({ kind, rtpParameters, paused }))
    if (endpoint.closed || room.publications.get(publicationId) !== published) {
      producer.close() // it came after its transport was closed, or after its publication had ended
      throw new MediaRefusal('gone')
    }
    flow(room, member, published, endpoint, producer)
  } catch (error) {
    if (published.state.is === 'starting') awaitOrForget(room, published)
    throw error
  }
}

/** Takes the id, so that nobody else does while the producer is made. */
function claim(room: RoomState, member: Member, id: string, { source, paused }: PublishOffer): Published {
  const known = room.publications.get(id)
  if (known) {
    const { view, state } = known
    demand(view.participantId === member.id && view.source === source, 'id_taken')
    demand(state.is !== 'starting', 'busy')
    stop(known)
    known.state = { is: 'starting' }
    // What was muted while it was away stays so until its sender resumes it.
    if (paused) void setPaused(room, known, true)
    return known
  }
  demand(publicationsOf(room, member.id).length < PUBLICATIONS_MAX, 'too_many')
  const view = { publicationId: id, participantId: member.id, source, paused }
  const published: Published = { view, state: { is: 'starting' }, told: false }
  room.publications.set(id, published)
  return published
}

function flow(
  room: RoomState,
  member: Member,
  published: Published,
  { route }: Endpoint,
  producer: Producer,
): void {
  const { view } = published
  published.state = { is: 'flowing', producer }
  if (producer.paused !== view.paused) void applyPause(room, producer, view.paused)
  producer.on('score', () => measure(room, member))
  producer.once('transportclose', () => {
    if (published.state.is === 'flowing' && published.state.producer === producer)
      awaitOrForget(room, published)
  })
  if (view.source === 'microphone')
    route.speakers
      .add(producer, member.id)
      .catch(error => room.log.debug({ err: error }, 'microphone is closed'))
  if (!published.told) {
    published.told = true
    room.events.published(room.sessionId, { ...view })
  }
  offerToAll(room, published)
}

/** Resolves when it has taken effect. */
export async function setPaused(
  room: RoomState,
  { view, state, told }: Published,
  paused: boolean,
): Promise<void> {
  if (view.paused === paused) return
  view.paused = paused
  if (told) room.events.changed(room.sessionId, { ...view })
  if (state.is === 'flowing') await applyPause(room, state.producer, paused)
}

const muted: Record<MutableSource, Published['view']['source'][]> = {
  audio: ['microphone'],
  video: ['camera'],
  screen: ['screen', 'screen_audio'],
}

export function mute(room: RoomState, participantId: string, source: MutableSource): void {
  for (const published of publicationsOf(room, participantId))
    if (muted[source].includes(published.view.source)) void setPaused(room, published, true)
}

export function unpublish(room: RoomState, published: Published): void {
  const { publicationId, participantId } = published.view
  room.publications.delete(publicationId)
  for (const { endpoint, shown } of room.members.values()) {
    endpoint?.subscriptions.get(publicationId)?.close()
    endpoint?.subscriptions.delete(publicationId)
    shown.delete(publicationId)
  }
  stop(published) // after its consumers: the worker closes those of a producer, and would not know them any more
  if (published.told) room.events.unpublished(room.sessionId, { publicationId, participantId })
}

export const publicationsOf = ({ publications }: RoomState, participantId: string): Published[] =>
  [...publications.values()].filter(({ view }) => view.participantId === participantId)

function stop({ state }: Published): void {
  if (state.is === 'flowing') state.producer.close()
  if (state.is === 'awaited') clearTimeout(state.until)
}

/** Its sender is expected to publish it again. What nobody has heard of is not missed. */
function awaitOrForget(room: RoomState, published: Published): void {
  if (room.publications.get(published.view.publicationId) !== published) return
  if (published.told) {
    const until = setTimeout(() => unpublish(room, published), room.republishWithinMs)
    published.state = { is: 'awaited', until: until.unref() }
  } else unpublish(room, published)
}

/** A producer that is closed meanwhile sends nothing either. */
async function applyPause({ log }: RoomState, producer: Producer, paused: boolean): Promise<void> {
  const applied = paused ? producer.pause() : producer.resume()
  await applied.catch(error => log.debug({ err: error }, 'producer is closed'))
}
