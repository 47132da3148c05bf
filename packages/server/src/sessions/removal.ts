import type { CommandBody } from '@lectern/protocol/control'
import type { Here } from './here.ts'
import { REMOVED_MAX } from './limits.ts'
import { leave } from './membership.ts'
import { canModerateMembers, isRemovable } from './policy.ts'
import { presentRemoved } from './present.ts'
import { demand } from './refusals.ts'
import { devicesOf, emit, kept } from './session.ts'

/** The person goes, with all devices, and stays out until the session ends or somebody lifts it. */
export async function remove(
  { parts, session, self }: Here,
  { participant_id }: CommandBody<'participant.remove'>,
): Promise<void> {
  demand(canModerateMembers(self), 'not_moderator')
  const target = session.participants.get(participant_id)
  demand(target, 'no_such_participant')
  demand(isRemovable(session, self, target), 'not_removable')
  demand(session.removed.size < REMOVED_MAX, 'removed_list_full')

  const { userId, displayName } = target
  const person = { userId, displayName }
  const state = kept(session)
  await parts.sessions.save(session.id, {
    ...state,
    removed: [...state.removed, person],
    members: state.members.filter(id => id !== userId),
  })
  session.members.delete(userId)
  session.removed.set(userId, person)
  emit(parts, session, 'participant.removed', { person: presentRemoved(person), by_participant_id: self.id })
  for (const device of devicesOf(session, userId)) leave(parts, session, device, 'removed')
}

export async function readmit(
  { parts, session, self }: Here,
  { user_id }: CommandBody<'participant.readmit'>,
): Promise<void> {
  demand(canModerateMembers(self), 'not_moderator')
  const person = [...session.removed.values()].find(({ userId }) => String(userId) === user_id)
  if (!person) return
  const state = kept(session)
  await parts.sessions.save(session.id, {
    ...state,
    removed: state.removed.filter(other => other !== person),
  })
  session.removed.delete(person.userId)
  emit(parts, session, 'participant.readmitted', { user_id, by_participant_id: self.id })
}
