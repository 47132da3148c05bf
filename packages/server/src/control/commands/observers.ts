import { type Capability, Refusal } from '@lectern/protocol'
import type { CommandData, JsonObject } from '@lectern/protocol/control'
import type { ParticipantRef } from '../../sessions/membership.ts'
import type { SessionRef } from '../../sessions/ports.ts'
import { MEMBERSHIPS_PER_CONNECTION_MAX, SNAPSHOT_ANSWER_BYTES } from '../limits/constants.ts'
import { presentEgress, toEgressOptions } from '../media-mapping.ts'
import type { ControlParts } from '../ports.ts'
import type { SessionMembership } from '../v2/connection.ts'
import { snapshotLength } from '../v2/snapshot.ts'
import { alreadyInSession, requireMembership } from './conference.ts'
import type { Handler, Sender } from './table.ts'

/**
 * Who holds a job observes its session: hears the stream and taps the media, and is no participant (rules J14 to
 * J20). The place of an observer is named by the job.
 */

/** Takes the place of an observer, also from another connection that had it. */
export function observe(
  { registry, streams, answers }: ControlParts,
  actor: Sender,
  { sessionId, tag }: SessionRef,
  jobId: string,
  needs: Capability,
): CommandData<'job.attach'> {
  if (!registry.get(sessionId)) throw new Refusal('session_over')
  const stream = streams.session(sessionId)
  const seat = actor.memberships.get(stream.id)
  if (seat && seat.participant.participantId !== jobId) throw alreadyInSession()
  if (!seat) {
    if (actor.memberships.size >= MEMBERSHIPS_PER_CONNECTION_MAX) throw new Refusal('too_many_conferences')
    streams.detach(sessionId, jobId)
    actor.enter({ tag, participant: { sessionId, participantId: jobId }, kind: 'observer', needs }, stream)
    answers.charge(actor.login.user, snapshotLength(stream) - SNAPSHOT_ANSWER_BYTES)
  }
  const { id, epoch, seq } = stream
  return {
    conference_session_id: String(sessionId),
    participant_id: jobId,
    stream: { stream_id: id, stream_epoch: epoch, seq: String(seq) },
  }
}

/** The job is over, or another's: nobody observes for it any more. */
export function stopObserving({ streams, media }: ControlParts, place: ParticipantRef): void {
  streams.detach(place.sessionId, place.participantId)
  media.closeEgress(place)
}

/** Of an account that is not capable any more of what it observes for (rule W15). */
export function releaseUnauthorizedObservers(
  parts: ControlParts,
  { login, memberships: seats }: Sender,
): void {
  for (const { participant: place, needs } of [...seats.values()])
    if (needs && !login.user.capabilities.includes(needs)) stopObserving(parts, place)
}

/** The connection does not come back. Of participants, conferences themselves take care. */
export function untapAll({ media }: ControlParts, seats: Iterable<SessionMembership>): void {
  for (const { participant: place, kind } of seats) if (kind === 'observer') media.closeEgress(place)
}

export const tap: Handler<'media.tap'> = async ({ media }, actor, { target, body }) => {
  const { participant: place } = requireObserver(requireMembership(actor, target))
  return { data: presentEgress(await media.openEgress(place, toEgressOptions(body))) as JsonObject }
}

export const requestKeyFrame: Handler<'media.request_key_frame'> = async (
  { media },
  actor,
  { target, body },
) => {
  const { participant: place } = requireObserver(requireMembership(actor, target))
  await media.requestKeyFrame(place, body.publication_id)
  return {}
}

export function requireParticipant(seat: SessionMembership): SessionMembership {
  if (seat.kind === 'observer') throw new Refusal('not_inside')
  return seat
}

function requireObserver(seat: SessionMembership): SessionMembership {
  if (seat.kind !== 'observer') throw new Refusal('not_observing')
  return seat
}
