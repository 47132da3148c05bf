import { type Capability, Refusal } from '@lectern/protocol'
import type { CommandData } from '@lectern/protocol/control'
import type { ParticipantRef } from '../../sessions/participants/membership.ts'
import type { SessionRef } from '../../sessions/ports.ts'
import { MEMBERSHIPS_PER_CONNECTION_MAX, SNAPSHOT_ANSWER_BYTES } from '../limits/constants.ts'
import type { ControlParts } from '../ports.ts'
import { snapshotLength } from '../v2/snapshot.ts'
import type { Sender, SessionMembership } from './command.ts'
import { alreadyInSession } from './memberships.ts'

/**
 * The holder of a job observes its session: it receives the stream and the media, and is not a participant (rules J14 to
 * J20). The id of the job stands for its participant id.
 */

/** Replaces an observer of the same job, also on another connection (rule J16). */
export async function observe(
  { registry, conferences, streams, answers }: ControlParts,
  sender: Sender,
  { sessionId, tag }: SessionRef,
  jobId: string,
  needs: Capability,
): Promise<CommandData<'job.attach'>> {
  if (!registry.get(sessionId) && !(await conferences.ensureHere({ sessionId, tag })))
    throw new Refusal('session_over')
  const stream = streams.sessions.open(sessionId)
  const membership = sender.memberships.get(stream.id)
  if (membership && membership.participant.participantId !== jobId) throw alreadyInSession()
  if (!membership) {
    if (sender.memberships.size >= MEMBERSHIPS_PER_CONNECTION_MAX) throw new Refusal('too_many_conferences')
    streams.detach(sessionId, jobId)
    const participant = { sessionId, participantId: jobId }
    sender.enter({ tag, participant, kind: 'observer', needs }, stream)
    answers.charge(sender.login.user, snapshotLength(stream) - SNAPSHOT_ANSWER_BYTES)
  }
  const { id, epoch, seq } = stream
  return {
    conference_session_id: String(sessionId),
    participant_id: jobId,
    stream: { stream_id: id, stream_epoch: epoch, seq: String(seq) },
  }
}

/** The job has ended, or another worker holds it. */
export function stopObserving({ streams, media }: ControlParts, observer: ParticipantRef): void {
  streams.detach(observer.sessionId, observer.participantId)
  media.closeEgress(observer)
}

/** Ends what an account observes without the capability for it (rule W15). */
export function releaseUnauthorizedObservers(parts: ControlParts, { login, memberships }: Sender): void {
  for (const { participant, needs } of [...memberships.values()])
    if (needs && !login.user.capabilities.includes(needs)) stopObserving(parts, participant)
}

/** MUST be called when a connection has ended. The media of participants ends with their membership. */
export function closeObserverMedia(
  { media }: Pick<ControlParts, 'media'>,
  memberships: Iterable<SessionMembership>,
): void {
  for (const { participant, kind } of memberships) if (kind === 'observer') media.closeEgress(participant)
}
