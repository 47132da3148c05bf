import { Refusal } from '@lectern/protocol'
import {
  type ControlError,
  type ControlMedia,
  type ImplementedCommand,
  isMediaBody,
  type JsonObject,
  type MediaRef,
  type PublishAnswer,
  sessionStream,
} from '@lectern/protocol/control'
import type { ParticipantRef } from '../../sessions/membership.ts'
import {
  presentEndpoint,
  presentIceRestart,
  toNegotiation,
  toPublishOffer,
  toSubscribeAnswer,
} from '../media-mapping.ts'
import type { ControlParts } from '../ports.ts'
import { toControlError } from '../refusals.ts'
import type { Connection } from '../v2/connection.ts'
import { requireMembership } from './conference.ts'
import { requireParticipant } from './observers.ts'
import type { Command, Handler, Outcome, Sender } from './table.ts'

/** Commands and negotiations of media: finds the place that is meant, and hands them to the media server. */

/** Observers' own are in observing.ts. */
type MediaCommand = Exclude<
  Extract<ImplementedCommand, `media.${string}`>,
  'media.tap' | 'media.request_key_frame'
>

/** What each command asks; the answer is the data of the result. */
const handlers: {
  [N in MediaCommand]: (
    parts: ControlParts,
    place: ParticipantRef,
    order: Command<N>,
    actor: Sender,
  ) => unknown
} = {
  'media.open': async ({ media, iceServers }, place, { body }, { login }) => ({
    ...presentEndpoint(await media.openEndpoint(place, { tcpOnly: body.tcp_only })),
    ...iceServers(login.user.id),
  }),
  'media.receive': ({ media }, place, { body }) =>
    media.setRtpCapabilities(place, body.endpoint_id, body.rtp_capabilities),
  'media.restart_ice': async ({ media }, place, { body }) =>
    presentIceRestart(await media.restartIce(place, body.endpoint_id)),
  'media.close': ({ media }, place, { body }) => media.close(place, body.publication_id),
  'media.pause': ({ media }, place, { body }) => media.pause(place, body.publication_id),
  'media.resume': ({ media }, place, { body }) => media.resume(place, body.publication_id),
  'media.set_layers': ({ media }, place, { body }) => media.setLayers(place, body.publication_id, body.shown),
}

export const runMediaCommand: Handler<MediaCommand> = async (parts, actor, order): Promise<Outcome> => {
  const seat = requireMembership(actor, order.target)
  const { participant: place } = order.name === 'media.set_layers' ? seat : requireParticipant(seat)
  // TypeScript cannot see that the handler and the order are of the same command.
  const answer = handlers[order.name] as (...call: unknown[]) => unknown
  const data = (await answer(parts, place, order, actor)) as JsonObject | undefined
  return data ? { data } : {}
}

/**
 * One step of a negotiation (rules G1 to G4). An offer is always answered; an answer, and what belongs to a
 * place of before, needs none.
 */
export async function negotiate(
  parts: ControlParts,
  connection: Connection,
  { binding, media, name, body }: ControlMedia,
): Promise<void> {
  const isCurrent = connection.isCurrent(binding)
  if (name === 'webrtc_answer' && isCurrent) await takeAnswer(parts, connection, media, body)
  if (name !== 'webrtc_offer') return
  const answer = (content: object) =>
    connection.send('control_media', JSON.stringify({ media, name: 'webrtc_answer', body: content }).slice(1))
  try {
    if (!isCurrent) throw new Refusal('stale_media_offer')
    answer(await publish(parts, connection, media, body))
  } catch (error) {
    const refusal = toControlError(error, parts.log)
    parts.log.debug({ code: refusal.code, extensions: refusal.extensions }, 'a media offer was rejected')
    answer({ error: refusal })
  }
}

async function publish(parts: ControlParts, connection: Connection, ref: MediaRef, body: JsonObject) {
  const { participant: place } = requireParticipant(requireOwnParticipant(connection, ref))
  if (body.format !== 'ortc') throw new Refusal('unsupported_media_format')
  if (!isMediaBody('publish-offer', body)) throw new Refusal('invalid_media_offer')
  const overBudget = parts.notifications.take(
    connection.login.user,
    parts.streams.receivers(sessionStream(ref.conference_session_id)),
  )
  if (overBudget) throw overBudget
  await parts.media.publish(place, toNegotiation(ref), toPublishOffer(body))
  return { format: 'ortc', publication_id: ref.publication_id } satisfies PublishAnswer
}

/** Whatever goes wrong with an answer, there is nobody to tell. */
async function takeAnswer(
  { media, log }: ControlParts,
  connection: Connection,
  ref: MediaRef,
  body: JsonObject,
): Promise<void> {
  try {
    const { participant: place } = requireOwnParticipant(connection, ref)
    const answer = isMediaBody('subscribe-answer', body) ? toSubscribeAnswer(body) : { error: errorIn(body) }
    await media.answer(place, toNegotiation(ref), answer)
  } catch (error) {
    toControlError(error, log) // what nobody foresaw is logged
  }
}

const errorIn = ({ error }: JsonObject): ControlError =>
  (error as ControlError | undefined) ?? { code: 'invalid_argument' }

function requireOwnParticipant(connection: Connection, ref: MediaRef) {
  const seat = requireMembership(connection, { kind: 'conference_session', id: ref.conference_session_id })
  if (seat.participant.participantId !== ref.participant_instance_id)
    throw new Refusal('media_of_another_participant')
  return seat
}
