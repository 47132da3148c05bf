import { Refusal } from '@lectern/protocol'
import type { Target } from '@lectern/protocol/control'
import type { Sender, SessionMembership } from './command.ts'

/** The membership of the sender in the target conference or session. */
export const findMembership = (
  { memberships }: Sender,
  { kind, id }: Target,
): SessionMembership | undefined =>
  [...memberships.values()].find(
    ({ tag, participant }) => id === (kind === 'conference' ? tag : String(participant.sessionId)),
  )

/** The membership of the sender in the session of the conference; undefined: not inside. */
export const membershipIn = (sender: Sender, tag: string): SessionMembership | undefined =>
  findMembership(sender, { kind: 'conference', id: tag })

/** Throws `not_inside` or `not_observing`. */
export function requireMembership(
  sender: Sender,
  target: Target,
  access: SessionMembership['kind'] | 'member' = 'member',
): SessionMembership {
  const membership = findMembership(sender, target)
  if (!membership) throw new Refusal('not_inside')
  if (access !== 'member' && membership.kind !== access)
    throw new Refusal(access === 'participant' ? 'not_inside' : 'not_observing')
  return membership
}

/** A connection is a participant of a session or observes it for one job, not both (rule J15). */
export const alreadyInSession = () => new Refusal('other_place')
