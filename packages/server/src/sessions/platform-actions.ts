import type { ConferenceRole } from '@lectern/protocol/control'
import { append, publishStored } from './chat.ts'
import { removePerson } from './moderation/removal.ts'
import { endMemberships } from './participants/membership.ts'
import type { MutableSource, SessionParts } from './ports.ts'
import { emit, type Participant, PLATFORM, type Session, toOwnSession } from './session.ts'

/** An action of a partner's platform in a session, without being inside. */
export type PlatformAction =
  | { is: 'list' }
  | { is: 'mute'; participantId: string; source: MutableSource }
  | { is: 'remove'; participantId: string }
  /** The link of the account was withdrawn: as a member it would enter without one (rule A4). */
  | { is: 'end_membership'; userId: number }
  /** A link of that role was withdrawn that names nobody. */
  | { is: 'end_shared_memberships'; role: ConferenceRole }
  | { is: 'start_recording'; format: 'mkv' | 'mp4' }
  | { is: 'stop_recording' }
  | { is: 'send_message'; userId: number; displayName: string; text: string; commandId: string }

export type InsideParticipant = Pick<Participant, 'id' | 'userId' | 'displayName' | 'role' | 'joinedAtMs'> & {
  isHere: boolean
}

export type PlatformResult =
  | { is: 'done' }
  | { is: 'listed'; participants: InsideParticipant[] }
  | { is: 'sent'; messageId: number }
  | { is: 'no_participant' }

/** Acts on the open session of the conference; null when there is none. Throws `elsewhere`. */
export const performForPlatform = (
  parts: SessionParts,
  conferences: {
    ifOngoing<T>(tag: string, work: (session: Session) => Promise<T>): Promise<T | null>
  },
  tag: string,
  action: PlatformAction,
): Promise<PlatformResult | null> => conferences.ifOngoing(tag, session => perform(parts, session, action))

async function perform(
  parts: SessionParts,
  session: Session,
  action: PlatformAction,
): Promise<PlatformResult> {
  switch (action.is) {
    case 'list':
      return { is: 'listed', participants: [...session.participants.values()].map(toInside) }
    case 'mute': {
      const { participantId, source } = action
      if (!session.participants.has(participantId)) return { is: 'no_participant' }
      emit(parts, session, 'participant.muted', {
        participant_id: participantId,
        source,
        by_participant_id: PLATFORM,
      })
      parts.media.mute(session.id, participantId, source)
      return { is: 'done' }
    }
    case 'remove': {
      const target = session.participants.get(action.participantId)
      if (!target) return { is: 'no_participant' }
      await removePerson(parts, session, target, PLATFORM)
      return { is: 'done' }
    }
    case 'end_membership':
      await endMemberships(parts, session, id => id === action.userId)
      return { is: 'done' }
    case 'end_shared_memberships':
      await endMemberships(parts, session, id => session.sharedLinks.get(id) === action.role)
      return { is: 'done' }
    case 'start_recording':
      await parts.jobs.startRecording(toOwnSession(session), action.format)
      return { is: 'done' }
    case 'stop_recording':
      await parts.jobs.stopRecording(session.id)
      return { is: 'done' }
    case 'send_message':
      return { is: 'sent', messageId: await send(parts, session, action) }
  }
}

async function send(
  parts: SessionParts,
  session: Session,
  { userId, displayName, text, commandId }: Extract<PlatformAction, { is: 'send_message' }>,
): Promise<number> {
  const message = {
    ...{ chatId: session.chatId, userId, commandId },
    ...{ displayName, isByModerator: true, text, sentAtMs: parts.clock() },
  }
  const stored = await append(parts, session, message)
  await publishStored(parts, session, stored)
  return stored.messageId
}

const toInside = ({
  id,
  userId,
  displayName,
  role,
  joinedAtMs,
  presence,
}: Participant): InsideParticipant => ({
  id,
  userId,
  displayName,
  role,
  joinedAtMs,
  isHere: presence.is === 'here',
})
