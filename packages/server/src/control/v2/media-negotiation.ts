import { Refusal } from '@lectern/protocol'
import {
  type ControlError,
  type ControlMedia,
  isMediaBody,
  type JsonObject,
  type MediaRef,
  type PublishAnswer,
} from '@lectern/protocol/control'
import { requireMembership } from '../commands/memberships.ts'
import { toNegotiation, toPublishOffer, toSubscribeAnswer } from '../media-mapping.ts'
import type { ControlDependencies } from '../ports.ts'
import { toControlError } from '../refusals.ts'
import type { Connection } from './connection.ts'
import { encodeTail } from './envelopes.ts'

/**
 * Handles one step of a negotiation (rules G1 to G4). An offer always gets an answer; answers, and steps of an earlier
 * endpoint, get none.
 */
export async function negotiate(
  deps: ControlDependencies,
  connection: Connection,
  { binding, media, name, body }: ControlMedia,
): Promise<void> {
  const isCurrent = connection.isCurrent(binding)
  if (name === 'webrtc_answer' && isCurrent) await takeAnswer(deps, connection, media, body)
  if (name !== 'webrtc_offer') return
  const answer = (content: object) =>
    connection.send('control_media', encodeTail({ media, name: 'webrtc_answer', body: content }))
  try {
    if (!isCurrent) throw new Refusal('stale_media_offer')
    answer(await publish(deps, connection, media, body))
  } catch (error) {
    const refusal = toControlError(error, deps.log)
    deps.log.debug({ code: refusal.code, extensions: refusal.extensions }, 'a media offer was rejected')
    answer({ error: refusal })
  }
}

async function publish(deps: ControlDependencies, connection: Connection, ref: MediaRef, body: JsonObject) {
  const { participant } = requireOwnMembership(connection, ref, 'participant')
  if (body.format !== 'ortc') throw new Refusal('unsupported_media_format')
  if (!isMediaBody('publish-offer', body)) throw new Refusal('invalid_media_offer')
  if (!body.paused) deps.conferences.assertMayPublish(participant, body.source)
  const overBudget = deps.notifications.take(
    connection.login.user,
    deps.streams.sessions.subscriberCount(participant.sessionId),
  )
  if (overBudget) throw overBudget
  await deps.media.publish(participant, toNegotiation(ref), toPublishOffer(body))
  return { format: 'ortc', publication_id: ref.publication_id } satisfies PublishAnswer
}

/** Nobody is notified when an answer is refused. */
async function takeAnswer(
  { media, log }: ControlDependencies,
  connection: Connection,
  ref: MediaRef,
  body: JsonObject,
): Promise<void> {
  try {
    const { participant } = requireOwnMembership(connection, ref, 'member')
    const answer = isMediaBody('subscribe-answer', body) ? toSubscribeAnswer(body) : { error: errorIn(body) }
    await media.answer(participant, toNegotiation(ref), answer)
  } catch (error) {
    toControlError(error, log) // logs unexpected errors
  }
}

const errorIn = ({ error }: JsonObject): ControlError =>
  (error as ControlError | undefined) ?? { code: 'invalid_argument' }

function requireOwnMembership(connection: Connection, ref: MediaRef, access: 'participant' | 'member') {
  const target = { kind: 'conference_session', id: ref.conference_session_id } as const
  const own = requireMembership(connection, target)
  if (own.participant.participantId !== ref.participant_instance_id)
    throw new Refusal('media_of_another_participant')
  return requireMembership(connection, target, access)
}
