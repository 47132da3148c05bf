import { Refusal } from '@lectern/protocol'
import {
  type ControlError,
  type ControlMedia,
  isMediaBody,
  type JsonObject,
  type MediaRef,
  type PublishAnswer,
  type PublishOffer,
  type SdpPublishAnswer,
} from '@lectern/protocol/control'
import type { SubscribeAnswer } from '../../media/ports.ts'
import type { SessionMembership } from '../commands/command.ts'
import { requireMembership } from '../commands/memberships.ts'
import { toNegotiation, toPublishOffer, toSubscribeAnswer } from '../media-mapping.ts'
import type { ControlParts } from '../ports.ts'
import { toControlError } from '../refusals.ts'
import type { Connection } from './connection.ts'
import { encodeTail } from './envelopes.ts'

/**
 * Handles one step of a negotiation (rules G1 to G4). An offer always gets an answer; answers, and steps of an earlier
 * endpoint, get none.
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
    connection.send('control_media', encodeTail({ media, name: 'webrtc_answer', body: content }))
  try {
    if (!isCurrent) throw new Refusal('stale_media_offer')
    answer(await publish(parts, connection, media, body))
  } catch (error) {
    const about = logFieldsOf(media)
    const refusal = toControlError(error, parts.log, about)
    parts.log.debug(
      { ...about, code: refusal.code, extensions: refusal.extensions },
      'a media offer was rejected',
    )
    answer({ error: refusal })
  }
}

async function publish(parts: ControlParts, connection: Connection, ref: MediaRef, body: JsonObject) {
  const membership = requireOwnMembership(connection, ref, 'participant')
  const { participant } = membership
  const { offer, answer } = readOffer(membership, ref, body)
  if (!offer.paused) parts.participants.assertMayPublish(participant, offer.source)
  const overBudget = parts.notifications.take(
    connection.login.user,
    parts.streams.sessions.subscriberCount(participant.sessionId),
  )
  if (overBudget) throw overBudget
  await parts.media.publish(participant, toNegotiation(ref), toPublishOffer(offer))
  return answer
}

/** The offer in mediasoup's parameters, and what it is answered with once it is published. */
function readOffer(
  { sdp }: SessionMembership,
  ref: MediaRef,
  body: JsonObject,
): { offer: PublishOffer; answer: PublishAnswer | SdpPublishAnswer } {
  const { publication_id } = ref
  if (body.format !== (sdp ? 'sdp' : 'ortc')) throw new Refusal('unsupported_media_format')
  if (!sdp) {
    if (!isMediaBody('publish-offer', body)) throw new Refusal('invalid_media_offer')
    return { offer: body, answer: { format: 'ortc', publication_id } }
  }
  if (!isMediaBody('sdp-publish-offer', body)) throw new Refusal('invalid_media_offer')
  const { offer, answer } = sdp.readPublication(ref, body)
  return { offer, answer: { format: 'sdp', publication_id, sdp: answer } }
}

/** Nobody is notified when an answer is refused. */
async function takeAnswer(
  { media, log }: ControlParts,
  connection: Connection,
  ref: MediaRef,
  body: JsonObject,
): Promise<void> {
  try {
    const membership = requireOwnMembership(connection, ref, 'member')
    await media.answer(membership.participant, toNegotiation(ref), readAnswer(membership, ref, body))
  } catch (error) {
    toControlError(error, log, logFieldsOf(ref)) // logs unexpected errors
  }
}

function readAnswer(
  { sdp }: SessionMembership,
  { publication_id }: MediaRef,
  body: JsonObject,
): SubscribeAnswer | { error: object } {
  try {
    if (sdp && isMediaBody('sdp-subscribe-answer', body)) return sdp.readAnswer(publication_id, body)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { error: { code: 'invalid_argument' } }
  }
  return !sdp && isMediaBody('subscribe-answer', body) ? toSubscribeAnswer(body) : { error: errorIn(body) }
}

const logFieldsOf = ({ conference_session_id, publication_id }: MediaRef) => ({
  conference_session_id: Number(conference_session_id),
  publication_id,
})

const errorIn = ({ error }: JsonObject): ControlError =>
  (error as ControlError | undefined) ?? { code: 'invalid_argument' }

function requireOwnMembership(connection: Connection, ref: MediaRef, access: 'participant' | 'member') {
  const target = { kind: 'conference_session', id: ref.conference_session_id } as const
  const own = requireMembership(connection, target)
  if (own.participant.participantId !== ref.participant_instance_id)
    throw new Refusal('media_of_another_participant')
  return requireMembership(connection, target, access)
}
