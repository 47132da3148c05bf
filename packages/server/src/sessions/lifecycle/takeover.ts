import { muteIfForbidden } from '../moderation/moderation.ts'
import { claimHand } from '../participants/hands.ts'
import type { SessionParts, StoredParticipant } from '../ports.ts'
import { presentParticipant } from '../present.ts'
import { emit, type Session } from '../session.ts'

type TakeoverParts = Pick<
  SessionParts,
  | 'attendance'
  | 'clock'
  | 'events'
  | 'graceMs'
  | 'media'
  | 'monotonicMs'
  | 'onFailure'
  | 'participants'
  | 'takeOverMedia'
>

/**
 * Takes over what the former server of a session has left, before anybody sees the session: its media, and with it its
 * participants, who are away until their connections are resumed. Without running media people join again.
 */
export async function takeOver(parts: TakeoverParts, session: Session): Promise<void> {
  const { id: sessionId } = session
  const { incarnation } = session.lease
  if (incarnation === 1) return
  const stored = await parts.participants.list(sessionId)
  await restoreParticipants(parts, session, stored)
  await parts.attendance
    .restored(sessionId, [...session.participants.keys()], parts.clock())
    .catch(parts.onFailure('the attendance of a session was not updated: the end of the session updates it'))
}

async function restoreParticipants(
  parts: TakeoverParts,
  session: Session,
  stored: StoredParticipant[],
): Promise<void> {
  const { id: sessionId } = session
  const { incarnation } = session.lease
  // The last step: what happens to the media from then on is reported to this server.
  const media = await parts.takeOverMedia({ sessionId, incarnation })
  if (!media) {
    // Awaited, or it would remove those who join at once. What remains is removed by the next take-over.
    if (stored.length > 0)
      await parts.participants
        .clear(session.lease)
        .catch(parts.onFailure('former participants were not removed from the store'))
    return
  }
  const sinceMs = parts.monotonicMs()
  for (const { participantId: id, ...rest } of stored) {
    if (session.removed.has(rest.userId)) continue
    const handRaisedAtMs = claimHand(parts, session, rest.userId)
    session.participants.set(id, { ...rest, id, handRaisedAtMs, presence: { is: 'away', sinceMs } })
  }
  session.media = media.route
  for (const publication of media.publications)
    if (session.participants.has(publication.participant_id))
      session.publications.set(publication.publication_id, publication)
  for (const id of media.memberIds) if (!session.participants.has(id)) session.unclaimedMedia.add(id)
}

/** Reports who was taken over. MUST be called when the session is open. */
export function announceTakenOver(parts: Pick<TakeoverParts, 'events' | 'media'>, session: Session): void {
  for (const participant of session.participants.values())
    emit(parts, session, 'participant.joined', { participant: presentParticipant(participant) })
  // The former server may have died between a decision of a moderator and its effect.
  for (const publication of session.publications.values()) muteIfForbidden(parts, session, publication)
}

/** Whether there may be media of observers who have not come back in time. */
export const hasUnclaimedMedia = ({ monotonicMs, graceMs }: TakeoverParts, session: Session): boolean =>
  session.unclaimedMedia.size > 0 && monotonicMs() - session.openedAtMs >= graceMs

/** Closes unclaimed media; observers who came back keep theirs. */
export function closeUnclaimedMedia({ events, media }: TakeoverParts, session: Session): void {
  for (const id of session.unclaimedMedia)
    if (!events.isSubscribed(session.id, id)) media.closeParticipant(session.id, id)
  session.unclaimedMedia.clear()
}
