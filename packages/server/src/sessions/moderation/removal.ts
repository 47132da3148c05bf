import type { CommandBody } from '@lectern/protocol/control'
import type { CommandContext } from '../command.ts'
import { REMOVED_MAX } from '../limits.ts'
import { leave } from '../participants/membership.ts'
import { canModerateMembers, isRemovable } from '../policy.ts'
import type { SessionParts } from '../ports.ts'
import { presentRemoved } from '../present.ts'
import { assertOrRefuse } from '../refusals.ts'
import { devicesOf, emit, type Participant, type Session, saveState } from '../session.ts'

/** Removes a person on all devices until the session ends or a moderator readmits them. */
export async function remove(
  { parts, session, self }: CommandContext,
  { participant_id }: CommandBody<'participant.remove'>,
): Promise<void> {
  assertOrRefuse(canModerateMembers(self), 'not_moderator')
  const target = session.participants.get(participant_id)
  assertOrRefuse(target, 'no_such_participant')
  assertOrRefuse(isRemovable(session, self, target), 'not_removable')
  assertOrRefuse(session.removed.size < REMOVED_MAX, 'removed_list_full')
  await removePerson(parts, session, target, self.id)
}

/** Removes a person, whoever decided it. */
export async function removePerson(
  parts: SessionParts,
  session: Session,
  target: Participant,
  byParticipantId: string,
): Promise<void> {
  const { userId, displayName } = target
  const person = { userId, displayName }
  await saveState(parts, session, {
    removed: [...session.removed.values(), person],
    members: [...session.members].filter(id => id !== userId),
  })
  session.members.delete(userId)
  session.removed.set(userId, person)
  emit(parts, session, 'participant.removed', {
    person: presentRemoved(person),
    by_participant_id: byParticipantId,
  })
  for (const device of devicesOf(session, userId)) leave(parts, session, device, 'removed')
}

export async function readmit(
  context: CommandContext,
  { user_id }: CommandBody<'participant.readmit'>,
): Promise<void> {
  assertOrRefuse(canModerateMembers(context.self), 'not_moderator')
  const ids = [...context.session.removed.keys()]
  await liftRemovals(
    context,
    ids.filter(id => String(id) === user_id),
  )
}

/** Lets people back in who were removed. */
export async function liftRemovals(
  { parts, session, self }: CommandContext,
  userIds: number[],
): Promise<void> {
  if (userIds.length === 0) return
  const removed = [...session.removed.values()].filter(({ userId }) => !userIds.includes(userId))
  await saveState(parts, session, { removed })
  session.lobby.isStale = true
  for (const userId of userIds) {
    session.removed.delete(userId)
    emit(parts, session, 'participant.readmitted', { user_id: String(userId), by_participant_id: self.id })
  }
}
