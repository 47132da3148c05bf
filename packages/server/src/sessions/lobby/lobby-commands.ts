import type { CommandBody } from '@lectern/protocol/control'
import type { CommandContext } from '../command.ts'
import { withMembers } from '../participants/membership.ts'
import { canModerateMembers } from '../policy.ts'
import { assertOrRefuse } from '../refusals.ts'
import { emit, saveState, type Waiter } from '../session.ts'
import { deny, type LobbyContext, stopWaiting } from './lobby.ts'

/** Commands of moderators for waiting accounts. An account that no longer waits is not an error: another moderator was faster. */

/** Stored first: an admitted account enters at any time, also after a crash. The removal of a person is lifted (rule R2). */
export async function admitWaiting(context: CommandContext, body: CommandBody<'lobby.admit'>): Promise<void> {
  const { parts, session, self } = context
  const { lobbyContext, chosen } = choose(context, body)
  if (chosen.length === 0) return
  const members = withMembers(
    session,
    chosen.map(({ userId }) => userId),
  )
  const lifted = chosen.filter(({ userId }) => session.removed.has(userId))
  const removed = [...session.removed.values()].filter(
    each => !lifted.some(({ userId }) => userId === each.userId),
  )
  await saveState(parts, session, { members, ...(lifted.length > 0 && { removed }) })
  session.members = new Set(members)
  for (const { userId } of lifted) {
    session.removed.delete(userId)
    session.lobby.isStale = true
    emit(parts, session, 'participant.readmitted', { user_id: String(userId), by_participant_id: self.id })
  }
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
