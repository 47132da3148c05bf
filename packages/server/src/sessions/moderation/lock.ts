import type { CommandBody } from '@lectern/protocol/control'
import type { CommandContext } from '../command.ts'
import { canLock } from '../policy.ts'
import { assertOrRefuse } from '../refusals.ts'
import { emit, saveState } from '../session.ts'

export async function setLock(
  { parts, session, self }: CommandContext,
  { locked }: CommandBody<'conference.set_lock'>,
): Promise<void> {
  assertOrRefuse(canLock(self), 'not_moderator')
  if (session.locked === locked) return
  await saveState(parts, session, { locked })
  session.locked = locked
  session.lobby.isStale = session.lobby.waiters.size > 0
  emit(parts, session, 'conference.locked', { locked })
}
