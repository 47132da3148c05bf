import type { Target } from '@lectern/protocol/control'
import type { ControlParts } from '../ports.ts'
import type { Sender } from './command.ts'
import { findMembership } from './memberships.ts'

type Budget = Pick<ControlParts, 'notifications' | 'streams'>

/** Charges the sender for an event that everybody in the target conference receives (rule K18). */
export function chargeNotifications(
  { notifications, streams }: Budget,
  sender: Sender,
  target: Target,
  mode: 'limited' | 'charged',
): void {
  const membership = findMembership(sender, target)
  const receivers = membership ? streams.sessions.subscriberCount(membership.participant.sessionId) : 0
  if (mode === 'charged') {
    notifications.charge(sender.login.user, receivers)
    return
  }
  const overBudget = notifications.take(sender.login.user, receivers)
  if (overBudget) throw overBudget
}

/** Charges for the presence events that all conferences of the sender receive. */
export function chargePresence(
  { notifications, streams }: Budget,
  { login, memberships }: Pick<Sender, 'login' | 'memberships'>,
): void {
  for (const { participant } of memberships.values())
    notifications.charge(login.user, streams.sessions.subscriberCount(participant.sessionId))
}
