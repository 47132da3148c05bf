import type { CommandBody } from '@lectern/protocol/control'
import type { Here } from './here.ts'
import { canLock } from './policy.ts'
import { demand } from './refusals.ts'
import { emit, kept } from './session.ts'

export async function setLock(
  { parts, session, self }: Here,
  { locked }: CommandBody<'conference.set_lock'>,
): Promise<void> {
  demand(canLock(self), 'not_moderator')
  if (session.locked === locked) return
  await parts.sessions.save(session.id, kept(session, { locked }))
  session.locked = locked
  emit(parts, session, 'conference.locked', { locked })
}
