import type { ConferenceRole, WaitReason } from '@lectern/protocol/control'
import { isMember } from './policy.ts'
import type { Conference, ConnectedUser } from './ports.ts'
import type { Session } from './session.ts'

/** Pure decisions: which role somebody has, and whether they enter now, wait, or are refused (rules A1 to A8). */

/** What the account is in the conference without any link. */
export const accountRole = ({ ownerId }: Pick<Conference, 'ownerId'>, userId: number): ConferenceRole =>
  ownerId === userId ? 'moderator' : 'participant'

/** The only place where a role comes from: the account, and the signed link of the connection. A link never lowers. */
export const roleOf = (account: ConferenceRole, link: ConferenceRole | null): ConferenceRole =>
  account === 'moderator' ? 'moderator' : (link ?? 'participant')

export interface Entrant extends Pick<ConnectedUser, 'userId' | 'linkRole'> {
  role: ConferenceRole
}

export interface Circumstances {
  conference: Pick<Conference, 'entry'>
  /** The open session, if there is one. */
  session: Session | undefined
  /** A moderator ended the last session of a partner's room, so a moderator starts the next one. */
  isHeld: boolean
}

export function admissionOf(
  { conference, session, isHeld }: Circumstances,
  { userId, role, linkRole }: Entrant,
): 'enter' | 'plain_link_closed' | WaitReason {
  if (role === 'moderator') return 'enter'
  const isInvited = linkRole !== null
  if (!isInvited && conference.entry === 'closed') return 'plain_link_closed'
  if (!session && isHeld) return 'not_started'
  if (session && isMember(session, userId)) return 'enter'
  if (!isInvited && conference.entry === 'lobby') return 'approval'
  return session?.locked ? 'locked' : 'enter'
}
