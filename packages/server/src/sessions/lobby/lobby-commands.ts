import type { CommandBody } from '@lectern/protocol/control'
import type { CommandContext } from '../command.ts'
import { liftRemovals } from '../moderation/removal.ts'
import { addMembers } from '../participants/membership.ts'
import { canModerateMembers } from '../policy.ts'
import { assertOrRefuse } from '../refusals.ts'
import type { Waiter } from '../session.ts'
import { deny, type LobbyContext, stopWaiting } from './lobby.ts'

/** Commands of moderators for waiting accounts. An account that no longer waits is not an error: another moderator was faster. */

/** Stored first: an admitted account enters at any time, also after a crash. The removal of a person is lifted (rule R2). */
export async function admitWaiting(context: CommandContext, body: CommandBody<'lobby.admit'>): Promise<void> {
  const { parts, session } = context
  const { lobbyContext, chosen } = choose(context, body)
  if (chosen.length === 0) return
  await addMembers(parts, session, chosen)
  const ids = chosen.map(({ userId }) => userId)
  await liftRemovals(
    context,
    ids.filter(id => session.removed.has(id)),
  )
  for (const waiter of chosen) stopWaiting(lobbyContext, waiter, 'admitted')
}

export function denyWaiting(context: CommandContext, body: CommandBody<'lobby.deny'>): void {
  const { lobbyContext, chosen } = choose(context, body)
  for (const waiter of chosen) deny(lobbyContext, waiter)
}

function choose(
  { parts, session, self }: CommandContext,
  { user_id }: CommandBody<'lobby.admit'>,
): { lobbyContext: LobbyContext; chosen: Waiter[] } {
  assertOrRefuse(canModerateMembers(self), 'not_moderator')
  const waiters = [...session.lobby.waiters.values()]
  const chosen = user_id === undefined ? waiters : waiters.filter(each => String(each.userId) === user_id)
  return { lobbyContext: { parts, session, lobby: session.lobby }, chosen }
}
