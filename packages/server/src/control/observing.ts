import type { Capability } from '@lectern/protocol'
import { type CommandData, ControlRefusal, type JsonObject, sessionStream } from '@lectern/protocol/control'
import type { ParticipantRef } from '../sessions/membership.ts'
import type { SessionRef } from '../sessions/ports.ts'
import { demandSeat, otherPlace } from './conference.ts'
import type { Seat } from './connection.ts'
import type { Actor, Handler } from './dispatch.ts'
import { PLACES_OF_ONE_CONNECTION, STATE_BYTES } from './limits.ts'
import type { ControlParts } from './ports.ts'
import { snapshotLength } from './snapshot.ts'

/**
 * Who holds a job observes its session: hears the stream and taps the media, and is no participant (rules J14 to
 * J20). The place of an observer is named by the job.
 */

/** Takes the place of an observer, also from another connection that had it. */
export function observe(
  { conferences, streams, answers }: ControlParts,
  actor: Actor,
  { sessionId, tag }: SessionRef,
  jobId: string,
  needs: Capability,
): CommandData<'job.attach'> {
  if (!conferences.isOpen(sessionId))
    throw new ControlRefusal('permission_denied', 'The session is over.', { reason: 'session_over' })
  const stream = streams.session(sessionStream(String(sessionId)))
  const seat = actor.seats.get(stream.id)
  if (seat && seat.place.participantId !== jobId) throw otherPlace()
  if (!seat) {
    if (actor.seats.size >= PLACES_OF_ONE_CONNECTION)
      throw new ControlRefusal('resource_exhausted', 'This connection is in too many conferences.')
    streams.detach(stream.id, jobId)
    actor.enter({ tag, place: { sessionId, participantId: jobId }, baseRole: 'observer', needs }, stream)
    answers.charge(actor.login.user, snapshotLength(stream) - STATE_BYTES)
  }
  const { id, epoch, seq } = stream
  return {
    conference_session_id: String(sessionId),
    participant_id: jobId,
    stream: { stream_id: id, stream_epoch: epoch, seq: String(seq) },
  }
}

/** The job is over, or another's: nobody observes for it any more. */
export function release({ streams, media }: ControlParts, place: ParticipantRef): void {
  streams.detach(sessionStream(String(place.sessionId)), place.participantId)
  media.untap(place)
}

/** Of an account that is not capable any more of what it observes for (rule W15). */
export function releaseIncapable(parts: ControlParts, { login, seats }: Actor): void {
  for (const { place, needs } of [...seats.values()])
    if (needs && !login.user.capabilities.includes(needs)) release(parts, place)
}

/** The connection does not come back. Of participants, conferences themselves take care. */
export function untapAll({ media }: ControlParts, seats: Iterable<Seat>): void {
  for (const { place, baseRole } of seats) if (baseRole === 'observer') media.untap(place)
}

export const tap: Handler<'media.tap'> = async ({ media }, actor, { target, body }) => {
  const { place } = demandObserver(demandSeat(actor, target))
  return { data: (await media.tap(place, body)) as JsonObject }
}

export const requestKeyFrame: Handler<'media.request_key_frame'> = async (
  { media },
  actor,
  { target, body },
) => {
  const { place } = demandObserver(demandSeat(actor, target))
  await media.requestKeyFrame(place, body.publication_id)
  return {}
}

export function demandParticipant(seat: Seat): Seat {
  if (seat.baseRole === 'observer')
    throw new ControlRefusal('permission_denied', 'Who observes takes no part.', { reason: 'not_inside' })
  return seat
}

function demandObserver(seat: Seat): Seat {
  if (seat.baseRole !== 'observer')
    throw new ControlRefusal('permission_denied', 'Only who observes for a job may do that.', {
      reason: 'not_observing',
    })
  return seat
}
