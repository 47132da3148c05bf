import type { CommandBody } from '@lectern/protocol/control'
import type { Here } from './here.ts'
import { deny, type LobbyContext, stopWaiting, type Waiter } from './lobby.ts'
import { withMembers } from './membership.ts'
import { canModerateMembers } from './policy.ts'
import { demand } from './refusals.ts'
import { kept } from './session.ts'

/** What moderators do with the people who wait. Somebody who no longer waits is no error: another moderator was faster. */

/** Stored first: an account that was admitted enters whenever it comes, also after a crash. */
export async function admitWaiting(here: Here, body: CommandBody<'lobby.admit'>): Promise<void> {
  const { parts, session } = here
  const { context, chosen } = choose(here, body)
  if (chosen.length === 0) return
  const members = withMembers(
    session,
    chosen.map(({ userId }) => userId),
  )
  await parts.sessions.save(session.id, kept(session, { members }))
  session.members = new Set(members)
  for (const waiter of chosen) stopWaiting(context, waiter, 'admitted')
}

export function denyWaiting(here: Here, body: CommandBody<'lobby.deny'>): void {
  const { context, chosen } = choose(here, body)
  for (const waiter of chosen) deny(context, waiter)
}

function choose(
  { parts, session, self }: Here,
  { user_id }: CommandBody<'lobby.admit'>,
): { context: LobbyContext; chosen: Waiter[] } {
  demand(canModerateMembers(self), 'not_moderator')
  const waiters = [...session.lobby.waiters.values()]
  const chosen = user_id === undefined ? waiters : waiters.filter(each => String(each.userId) === user_id)
  return { context: { parts, session, lobby: session.lobby }, chosen }
}
