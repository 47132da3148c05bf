import type { CommandBody } from '@lectern/protocol/control'
import type { CommandContext } from '../command.ts'
import { canMute, canMuteAll } from '../policy.ts'
import { assertOrRefuse } from '../refusals.ts'
import { emit, type Participant } from '../session.ts'

/** Mutes one participant, or everybody but the sender's own devices. They may unmute themselves. */
export function mute(
  context: CommandContext,
  { participant_id, source }: CommandBody<'participant.mute'>,
): void {
  const { parts, session, self } = context
  const targets = participant_id === undefined ? others(context) : [oneOf(context, participant_id)]
  emit(parts, session, 'participant.muted', {
    participant_id: participant_id ?? null,
    source,
    by_participant_id: self.id,
  })
  for (const target of targets) parts.media.mute(session.id, target.id, source)
}

function others({ session, self }: CommandContext): Participant[] {
  assertOrRefuse(canMuteAll(self), 'not_moderator')
  return [...session.participants.values()].filter(({ userId }) => userId !== self.userId)
}

function oneOf({ session, self }: CommandContext, participantId: string): Participant {
  const target = session.participants.get(participantId)
  assertOrRefuse(target, 'no_such_participant')
  assertOrRefuse(canMute(self, target), 'not_moderator')
  return target
}
