import type { ConferenceRole, WaitReason } from '@lectern/protocol/control'
import { isMember } from '../policy.ts'
import type { Conference, ConnectedUser } from '../ports.ts'
import type { Session } from '../session.ts'

/** A pure decision: whether an account enters now, waits, or is refused (rules A1 to A8, R7). */

export interface AdmissionSubject extends Pick<ConnectedUser, 'userId' | 'linkRole' | 'isGuest'> {
  role: ConferenceRole
}

export interface AdmissionContext {
  conference: Pick<Conference, 'entry' | 'settings'>
  /** The open session, if there is one. */
  session: Session | undefined
  /** A moderator ended the last session of a partner's room: only a moderator starts the next one. */
  isHeldForModerator: boolean
}

export type AdmissionDecision = 'enter' | 'plain_link_closed' | WaitReason

export function decideAdmission(
  { conference, session, isHeldForModerator }: AdmissionContext,
  { userId, role, linkRole, isGuest }: AdmissionSubject,
): AdmissionDecision {
  if (role === 'moderator') return 'enter'
  if (session && isMember(session, userId)) return 'enter'
  const isInvited = linkRole !== null
  if (!isInvited && conference.entry === 'closed') return 'plain_link_closed'
  if (!session && isHeldForModerator) return 'not_started'
  if (!isInvited && conference.entry === 'lobby') return 'approval'
  if (isInvited && conference.settings?.hasLobby) return 'approval'
  // It may be a removed person, who has opened the link once more.
  if (isGuest && session && session.removed.size > 0) return 'approval'
  return session?.locked ? 'locked' : 'enter'
}
