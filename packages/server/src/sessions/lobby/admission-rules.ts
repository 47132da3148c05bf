import type { ConferenceRole, WaitReason } from '@lectern/protocol/control'
import { isMember, isRemoved } from '../policy.ts'
import type { Conference, ConnectedUser } from '../ports.ts'
import type { Session } from '../session.ts'

/** A pure decision: whether an account enters now, waits, or is refused (rules A1 to A8, R2, R7). */

export interface AdmissionSubject extends Pick<ConnectedUser, 'userId' | 'linkRole' | 'isGuest'> {
  role: ConferenceRole
}

export interface AdmissionContext {
  conference: Pick<Conference, 'entry' | 'kind' | 'settings'>
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
  const isOut = session !== undefined && isRemoved(session, { userId })
  if (role === 'moderator' && !isOut) return 'enter'
  const isInvited = linkRole !== null
  const isIn = session !== undefined && isMember(session, userId)
  // By the plain link of a partner's room somebody may come whose own link was withdrawn.
  const isOpenToMembers = isIn && conference.kind === 'ordinary'
  if (!isInvited && conference.entry === 'closed' && !isOpenToMembers) return 'plain_link_closed'
  if (isOut) return 'approval'
  if (isIn) return 'enter'
  if (!session && isHeldForModerator) return 'not_started'
  if (!isInvited && conference.entry === 'lobby') return 'approval'
  if (isInvited && conference.settings?.hasLobby) return 'approval'
  // The guest may be a removed person, who has opened the link once more.
  if (isGuest && session && session.removed.size > 0) return 'approval'
  return session?.locked ? 'locked' : 'enter'
}
